import { Anchor, CloseButton, TextInput } from '@mantine/core'
import { IconPencil, IconSearch, IconTrash } from '@tabler/icons-react'
import { deleteField } from '@veridict/contract/api/fields'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { ruleSummary } from '@veridict/contract/messages/rule-summary'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { useChange } from '#lib/http/use-change.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { hasText, HighlightedText } from '#ui/text/highlighted-text.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { useListFocus } from '#ui/tables/use-list-focus.ts'
import type { StoredField } from './api.ts'
import classes from './field-list.module.css'

export type FieldListProps = {
  dictionaryId: number
  fields: StoredField[]
  addPath: string
  editPath: (fieldId: number) => string
}

/**
 * The fields in order, each with the letter of its column; a search narrows them by name and description.
 * See docs/BEHAVIOUR.md#field-form.
 */
export function FieldList({ dictionaryId, fields, addPath, editPath }: FieldListProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // Filtering 1,000 fields must not delay typing.
  const search = useDeferredValue(text.trim())
  const list = useListFocus<HTMLDivElement>(fields)
  const found = useMemo(() => foundFields(fields, search), [fields, search])
  const clear = () => {
    setText('')
    // The button that had the focus is gone.
    input.current?.focus()
  }
  if (fields.length === 0) {
    return (
      <div className={classes.list} {...list}>
        <div className={classes.frame}>
          <NoticeBlock
            picture={<SheetPicture />}
            title="No fields in this data dictionary yet."
            text="Files can be checked against it once it says which columns they must have."
            action={<ActionButton label="Add the first field" to={addPath} />}
          />
        </div>
      </div>
    )
  }
  return (
    <div className={classes.list} {...list}>
      <div className={classes.tools}>
        <TextInput
          ref={input}
          aria-label="Search fields"
          placeholder="Search fields"
          type="search"
          className={classes.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          leftSection={<IconSearch size={17} stroke={1.8} aria-hidden />}
          rightSection={
            text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
          }
        />
        <p role="status" className={classes.found}>
          {search !== '' && `${writeCount(found.length)} of ${counted(fields.length, 'field')}`}
        </p>
      </div>
      <FoundFields dictionaryId={dictionaryId} found={found} editPath={editPath} search={search} />
    </div>
  )
}

type FoundField = { field: StoredField; letter: string }

/** The letter is that of the column, so it is taken before the search narrows the list. */
const foundFields = (fields: StoredField[], search: string): FoundField[] =>
  fields
    .map((field, index) => ({ field, letter: columnLetter(index) }))
    .filter(({ field }) => hasText(field.name, search) || hasText(field.description, search))

type FoundFieldsProps = Pick<FieldListProps, 'dictionaryId' | 'editPath'> & {
  found: FoundField[]
  search: string
}

/** The fields that match. All are in the page, so that the browser's own search finds them, too. */
const FoundFields = memo(function FoundFields({ dictionaryId, found, editPath, search }: FoundFieldsProps) {
  const { mutate: remove } = useChange(deleteField)
  const askAndRemove = useCallback(
    async ({ id: itemId, name }: StoredField) => {
      if (await confirmDelete(name)) remove({ params: { id: dictionaryId, itemId } })
    },
    [remove, dictionaryId],
  )
  return (
    <ul className={classes.frame} aria-label="Fields">
      {found.map(({ field, letter }) => (
        <FieldRow
          key={field.id}
          field={field}
          letter={letter}
          search={search}
          editPath={editPath(field.id)}
          onDelete={askAndRemove}
        />
      ))}
      {found.length === 0 && <li className={classes.none}>No field matches '{search}'.</li>}
    </ul>
  )
})

type FieldRowProps = {
  field: StoredField
  letter: string
  search: string
  editPath: string
  onDelete: (field: StoredField) => unknown
}

const FieldRow = memo(function FieldRow({ field, letter, search, editPath, onDelete }: FieldRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.letter}>{letter}</span>
      <div className={classes.text}>
        <span className={classes.name}>
          <Anchor component={Link} to={editPath} c="inherit" inherit>
            <HighlightedText text={field.name} search={search} />
          </Anchor>
        </span>
        <span className={classes.description}>
          {field.description === '' ? (
            fieldMessages.noDescription
          ) : (
            <HighlightedText text={field.description} search={search} />
          )}
        </span>
      </div>
      <div className={classes.rule}>
        <span>{ruleSummary(field.rule)}</span>
        {!field.required && <span className={classes.optional}>Can be empty</span>}
        {field.identifiesRow && <span className={classes.optional}>{fieldMessages.identifiesRow}</span>}
      </div>
      <RowActions
        of={field.name}
        actions={[
          { label: 'Delete', Icon: IconTrash, onClick: () => onDelete(field) },
          { label: 'Edit', Icon: IconPencil, to: editPath },
        ]}
      />
    </li>
  )
})
