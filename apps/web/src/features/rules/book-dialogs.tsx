import { Anchor, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { ReferenceList, RuleBook } from '@veridict/contract/model/row-rule'
import type { ReactNode } from 'react'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { announceConflict } from '#lib/http/announce.ts'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { readBookForForm, type StoredBook, useSaveRuleBook } from './api.ts'
import { rowsOfText, textOfRows } from './rule-values.ts'

type DialogProps = { dictionaryId: number; book: StoredBook; onClose: () => void }

type TextValues = { name: string; text: string }
type PartDialogProps = DialogProps & {
  title: string
  valuesOf: (book: RuleBook) => TextValues
  partOf: (values: TextValues, book: RuleBook) => Partial<RuleBook>
  children: (
    form: ReturnType<typeof useForm<TextValues>>,
    save: (part: Partial<RuleBook>) => void,
  ) => ReactNode
}

/** A part of the rule book as text. */
function PartDialog({ dictionaryId, book, title, valuesOf, partOf, onClose, children }: PartDialogProps) {
  const initial = { values: valuesOf(book), etag: book.version }
  const form = useForm<TextValues>({ initialValues: initial.values })
  const reread = async () => {
    const present = await readBookForForm(dictionaryId)
    return { values: valuesOf(present), etag: present.version }
  }
  const conflict = useConflict(form, initial, reread)
  const save = useSaveRuleBook(
    dictionaryId,
    (_message, failure) => conflict.show(failure) || announceConflict(failure),
  )
  const send = (part: Partial<RuleBook>) =>
    save.mutate(
      { ...part, version: conflict.etag },
      {
        onSuccess: onClose,
        onError: (failure) => {
          const faults = Object.values(fieldErrorsOf(failure)).flat()
          if (faults.length > 0) form.setErrors({ text: faults.join(' ') })
        },
      },
    )
  return (
    <FormDialog
      title={title}
      canSave={form.isDirty()}
      isSaving={save.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) => send(partOf(values, book)))}
    >
      {children(form, send)}
      {conflict.note}
    </FormDialog>
  )
}

const lines = { autosize: true, minRows: 4, maxRows: 14, spellCheck: false } as const

export function BlankTextsDialog(props: DialogProps) {
  return (
    <PartDialog
      {...props}
      title={texts.blankTexts}
      valuesOf={({ blankTexts }) => ({ name: '', text: blankTexts.join('\n') })}
      partOf={({ text }) => ({ blankTexts: text.split('\n').filter((line) => line.trim() !== '') })}
    >
      {(form) => (
        <Textarea
          {...lines}
          label={texts.blankTextsLabel}
          description={texts.blankTextsHint}
          data-autofocus
          {...form.getInputProps('text')}
        />
      )}
    </PartDialog>
  )
}

/** A reference list as text; the first line has its columns. `name` is '' for a new one. */
export function ListDialog({ name, ...props }: DialogProps & { name: string }) {
  const others = ({ lists }: RuleBook) => lists.filter((list) => list.name !== name)
  return (
    <PartDialog
      {...props}
      title={name === '' ? texts.addList : name}
      valuesOf={({ lists }) => {
        const list = lists.find((one) => one.name === name)
        return { name, text: list === undefined ? '' : textOfRows([list.columns, ...list.rows]) }
      }}
      partOf={(values, { lists }) => {
        const place = lists.findIndex((list) => list.name === name)
        return { lists: lists.toSpliced(place < 0 ? lists.length : place, 1, listOf(values)) }
      }}
    >
      {(form, save) => (
        <>
          <TextInput
            label={texts.listName}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Textarea
            {...lines}
            label={texts.listRows}
            description={texts.listRowsHint}
            {...form.getInputProps('text')}
          />
          {name !== '' && (
            <Anchor
              component="button"
              type="button"
              style={{ alignSelf: 'start' }}
              onClick={() => save({ lists: others(props.book) })}
            >
              {texts.deleteList}
            </Anchor>
          )}
        </>
      )}
    </PartDialog>
  )
}

function listOf({ name, text }: TextValues): ReferenceList {
  const [columns = [], ...rows] = rowsOfText(text)
  return { name, columns, rows }
}
