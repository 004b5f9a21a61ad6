import { Highlight } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { deleteField } from '@veridict/contract/api/fields'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { ruleSummary } from '@veridict/contract/messages/rule-summary'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { paths } from '#app/paths.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { useChange } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton, TextLink } from '#ui/forms/action-button.tsx'
import { RowActions } from '#ui/tables/data-table.tsx'
import { SearchInput } from '#ui/tables/search-box.tsx'
import type { StoredField } from './api.ts'
import classes from './field-list.module.css'

export type FieldListProps = {
  dictionaryId: number
  fields: StoredField[]
  /** That of the dictionary, for the addresses of its fields. */
  slug: string
}

/** A search narrows the fields by name and description. See docs/BEHAVIOUR.md#field-form. */
export function FieldList({ dictionaryId, fields, slug }: FieldListProps) {
  const [text, setText] = useState('')
  // Filtering 1,000 fields must not delay typing.
  const search = useDeferredValue(text.trim())
  const found = useMemo(() => foundFields(fields, search), [fields, search])
  const { mutate: remove } = useChange(deleteField)
  const askAndRemove = useCallback(
    async ({ id: itemId, name }: StoredField) => {
      if (await confirmDelete(name)) remove({ params: { id: dictionaryId, itemId } })
    },
    [remove, dictionaryId],
  )
  if (fields.length === 0) {
    return (
      <div className={classes.list} tabIndex={-1}>
        <div className={classes.frame}>
          <NoticeBlock
            picture="quiet"
            title="No fields in this data dictionary yet."
            text="Files can be checked against it once it says which columns they must have."
            action={<ActionButton label="Add the first field" to={paths.fieldEdit(slug)} />}
          />
        </div>
      </div>
    )
  }
  return (
    <div className={classes.list} tabIndex={-1}>
      <div className={classes.tools}>
        <SearchInput
          label="Search fields"
          className={classes.search}
          value={text}
          onChange={setText}
          onClear={() => setText('')}
        />
        <p role="status" className={classes.found}>
          {search !== '' && `${writeCount(found.length)} of ${counted(fields.length, 'field')}`}
        </p>
      </div>
      <ul className={classes.frame} aria-label="Fields">
        {found.map(({ field, letter }) => (
          <FieldRow
            key={field.id}
            field={field}
            letter={letter}
            search={search}
            editPath={paths.fieldEdit(slug, field.id)}
            onDelete={askAndRemove}
          />
        ))}
        {found.length === 0 && <li className={classes.none}>No field matches '{search}'.</li>}
      </ul>
    </div>
  )
}

type FoundField = { field: StoredField; letter: string }

/** The letter is that of the column, so it is taken before the search narrows the list. */
const foundFields = (fields: StoredField[], search: string): FoundField[] =>
  fields
    .map((field, index) => ({ field, letter: columnLetter(index) }))
    .filter(({ field }) => hasText(field.name, search) || hasText(field.description, search))

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
          <TextLink
            label={<HighlightedText text={field.name} search={search} />}
            to={editPath}
            c="inherit"
            inherit
          />
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

/** A text with all matches of a search marked; case is ignored. */
const HighlightedText = ({ text, search }: { text: string; search: string }) =>
  search === '' ? (
    text
  ) : (
    <Highlight unstyled span accentInsensitive={false} highlight={search}>
      {text}
    </Highlight>
  )

const hasText = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase())
