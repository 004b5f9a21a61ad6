import { useMutation, useQueryClient } from '@tanstack/react-query'
import { conflictMessages } from '@veridict/contract/messages/conflicts'
import { useState } from 'react'
import { isEditConflict } from '#lib/http/call-failure.ts'
import { mergeEdits } from './merge-edits.ts'
import { ConflictNote } from './conflict-note.tsx'

/** A stored thing as a form shows it, with the version that its update hands back. */
export type Snapshot<Values> = { values: Values; version: string }

/** What is needed of Mantine's form. */
type Form<Values> = {
  getValues(): Values
  setValues(values: Values): void
  resetDirty(values: Values): void
  setFieldError(name: string, error: string): void
  getInputNode(name: string): HTMLElement | null
}

/**
 * For a form that changes a stored thing: holds the version it was filled from, and, when an update is
 * refused because someone else's came first, brings their changes in without losing what was typed. `seen` is
 * looked at once, when the form opens.
 */
export function useConflict<Values extends object>(
  form: Form<NoInfer<Values>>,
  seen: Snapshot<Values> | null,
  readAgain: () => Promise<Snapshot<NoInfer<Values>>>,
  wordOf: (name: keyof NoInfer<Values> & string, value: unknown) => string = (_name, value) => String(value),
) {
  const [base, setBase] = useState(seen)
  const [isBehind, setIsBehind] = useState(false)
  const client = useQueryClient()
  const take = (present: Snapshot<Values>) => {
    const { values, contested } = mergeEdits(base?.values ?? present.values, form.getValues(), present.values)
    form.resetDirty(present.values)
    form.setValues(values)
    for (const name of contested) form.setFieldError(name, otherWord(wordOf(name, present.values[name])))
    // The button that was pressed goes away; the reader goes on where there is something to check.
    form.getInputNode(contested[0] ?? Object.keys(values)[0])?.focus()
    setBase(present)
    setIsBehind(false)
    void client.invalidateQueries()
  }
  const loading = useMutation({ mutationFn: readAgain, onSuccess: take })
  return {
    /** What an update hands back; undefined for something new. */
    version: base?.version,
    /** Shows the note for an edit conflict; false for any other failure. */
    show: (failure: unknown): boolean => {
      if (!isEditConflict(failure)) return false
      setIsBehind(true)
      return true
    },
    note: isBehind && <ConflictNote isLoading={loading.isPending} onLoad={() => loading.mutate()} />,
  }
}

const MAX_SHOWN = 80

function otherWord(word: string): string {
  if (word.trim() === '') return conflictMessages.otherEmpty
  return conflictMessages.otherValue(word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word)
}
