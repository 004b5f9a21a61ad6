import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import { useState } from 'react'
import { announceConflict } from '#lib/http/announce.tsx'
import { isEditConflict } from '#lib/http/call-failure.ts'
import classes from './conflict-note.module.css'

type ConflictNoteProps = {
  /** @default conflictMessages.text */
  text?: string
  isLoading: boolean
  onLoad: () => void
}

/** Says in a form that another user saved first, and offers to load their changes. */
export function ConflictNote({ text = conflictMessages.text, isLoading, onLoad }: ConflictNoteProps) {
  return (
    <div role="alert" className={classes.note}>
      <IconUsers size={22} stroke={1.7} aria-hidden />
      <div>
        <strong>{conflictMessages.title}</strong>
        <p>{text}</p>
        <Button type="button" variant="default" loading={isLoading} onClick={onLoad}>
          {conflictMessages.load}
        </Button>
      </div>
    </div>
  )
}

/** The values of a stored item as a form shows them, and the ETag that an update sends back. */
export type Snapshot<Values> = { values: Values; etag: string }

/** The part of Mantine's form that is used here. */
type Form<Values> = {
  getValues(): Values
  setValues(values: Values): void
  resetDirty(values: Values): void
  setFieldError(name: string, error: string): void
  getInputNode(name: string): HTMLElement | null
}

/**
 * Keeps the ETag of the values that the form started from. If another user saved first, it offers to merge
 * their changes with what was typed. `initial` is read once, when the form opens.
 */
export function useConflict<Values extends object>(
  form: Form<NoInfer<Values>>,
  initial: Snapshot<Values> | null,
  reread: () => Promise<Snapshot<NoInfer<Values>>>,
  textOf: (name: keyof NoInfer<Values> & string, value: unknown) => string = (_name, value) => String(value),
) {
  const [base, setBase] = useState(initial)
  const [hasConflict, setHasConflict] = useState(false)
  const client = useQueryClient()
  const merge = (saved: Snapshot<Values>) => {
    const { values, conflicting } = mergeEdits(base?.values ?? saved.values, form.getValues(), saved.values)
    form.resetDirty(saved.values)
    form.setValues(values)
    for (const name of conflicting) form.setFieldError(name, otherText(textOf(name, saved.values[name])))
    // The pressed button goes away. The focus moves to the first value to check.
    form.getInputNode(conflicting[0] ?? Object.keys(values)[0])?.focus()
    setBase(saved)
    setHasConflict(false)
    void client.invalidateQueries()
  }
  const loading = useMutation({ mutationFn: reread, onSuccess: merge })
  /** Shows the note for an edit conflict; false for any other failure. */
  const show = (failure: unknown): boolean => {
    if (!isEditConflict(failure)) return false
    setHasConflict(true)
    return true
  }
  return {
    /** The ETag that an update sends back; undefined for a new item. */
    etag: base?.etag,
    show,
    /** For a form without an input that shows other conflicts. */
    showOrAnnounce: (_message: string, failure: unknown) => show(failure) || announceConflict(failure),
    note: hasConflict && <ConflictNote isLoading={loading.isPending} onLoad={() => loading.mutate()} />,
  }
}

const MAX_SHOWN = 80

function otherText(text: string): string {
  if (text.trim() === '') return conflictMessages.otherEmpty
  return conflictMessages.otherValue(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
}

/**
 * Three-way merge from `base`. A typed value wins. `conflicting`: names of values that both changed,
 * differently.
 */
export function mergeEdits<Values extends object>(base: Values, typed: Values, saved: Values) {
  const values = { ...saved }
  const conflicting: (keyof Values & string)[] = []
  for (const key of Object.keys(base) as (keyof Values & string)[]) {
    if (isSame(typed[key], base[key])) continue
    values[key] = typed[key]
    if (!isSame(saved[key], base[key]) && !isSame(saved[key], typed[key])) conflicting.push(key)
  }
  return { values, conflicting }
}

/** A value of a form is a text, a number or a list of plain objects. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
