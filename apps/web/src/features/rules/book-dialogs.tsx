import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { saveRuleBook } from '@veridict/contract/api/rule-book'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { writeCount } from '@veridict/contract/notation/count'
import { useState } from 'react'
import { ImpactButton } from '#features/impacts/impact-button.tsx'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { announceConflict } from '#lib/http/announce.tsx'
import { fieldErrorsOf, isEditConflict } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/query-of.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { OrderModal } from '#ui/order/order-modal.tsx'
import { readBookForForm, type StoredBook } from './api.ts'
import { rowsOfText, textOfRows } from './rule-values.ts'

type DialogProps = { dictionaryId: number; book: StoredBook; onClose: () => void }

/** A part of the book that is edited as text. */
export type TextPart = {
  title: string
  hint: string
  textOf: (book: RuleBook) => string
  read: (text: string, book: RuleBook) => Partial<RuleBook>
}

export const blankTextsPart: TextPart = {
  title: 'Texts that count as blank',
  hint: texts.blankTextsHint,
  textOf: ({ blankTexts }) => blankTexts.join('\n'),
  read: (text) => ({ blankTexts: text.split('\n').filter((line) => line.trim() !== '') }),
}

/** A list, null for a new one: its name in the first line, its columns in the second, then its rows. */
export const listPart = (edited: string | null): TextPart => ({
  title: edited ?? 'Add a reference list',
  hint: texts.listHint,
  textOf: ({ lists }) => {
    const list = lists.find(({ name }) => name === edited)
    return list === undefined ? '' : `${list.name}\n${textOfRows([list.columns, ...list.rows])}`
  },
  read: (text, { lists }) => {
    const [name, ...lines] = text.trim().split('\n')
    const [columns = [], ...rows] = rowsOfText(lines.join('\n'))
    const place = lists.findIndex((list) => list.name === edited)
    const kept = name === '' ? [] : [{ name: name.trim(), columns, rows }]
    return { lists: lists.toSpliced(place < 0 ? lists.length : place, 1, ...kept) }
  },
})

export function TextDialog({ dictionaryId, book, part, onClose }: DialogProps & { part: TextPart }) {
  const [present, setPresent] = useState(book)
  const initial = { values: { text: part.textOf(book) }, etag: book.version }
  const form = useForm({ initialValues: initial.values })
  const conflict = useConflict(form, initial, async () => {
    const reread = await readBookForForm(dictionaryId)
    setPresent(reread)
    return { values: { text: part.textOf(reread) }, etag: reread.version }
  })
  const save = useChange(saveRuleBook, conflict.showOrAnnounce)
  return (
    <FormDialog
      title={part.title}
      form={form}
      beside={
        <ImpactButton
          dictionaryId={dictionaryId}
          draft={async () => ({ body: part.read(form.values.text, present) })}
          isDisabled={!form.isDirty()}
        />
      }
      isSaving={save.isPending}
      onClose={onClose}
      onSave={({ text }) => {
        const body = { ...part.read(text, present), version: conflict.etag }
        const onError = (failure: unknown) =>
          form.setErrors({ text: Object.values(fieldErrorsOf(failure)).flat().join(' ') })
        save.mutate({ params: { id: dictionaryId }, body }, { onSuccess: onClose, onError })
      }}
    >
      <Textarea
        aria-label={part.title}
        description={part.hint}
        autosize
        minRows={5}
        maxRows={16}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('text')}
      />
      {conflict.note}
    </FormDialog>
  )
}

export function RuleOrder({ dictionaryId, book, onClose }: DialogProps) {
  // Those behind the dialog may be read again at any time.
  const [{ rules, version }, setSeen] = useState(book)
  const reread = useMutation({ mutationFn: () => readBookForForm(dictionaryId), onSuccess: setSeen })
  const save = useChange(saveRuleBook, (_message, failure) => {
    announceConflict(failure)
    if (isEditConflict(failure)) reread.mutate()
  })
  return (
    <OrderModal
      items={rules}
      keyOf={({ name }) => name}
      mark={(place) => writeCount(place + 1)}
      lead="Errors of a row are reported in this order."
      isSaving={save.isPending}
      onSave={(order) =>
        save.mutate({ params: { id: dictionaryId }, body: { rules: order, version } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}
