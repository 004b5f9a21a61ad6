import { Anchor } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import {
  deleteDictionary,
  type DictionaryItem,
  previewDictionaryDeletion,
} from '@veridict/contract/api/dictionaries'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { writeCount } from '@veridict/contract/notation/count'
import { Link } from 'react-router'
import { dictionaryPath } from '#app/paths.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'

/** Columns of the list of dictionaries. */
export function useDictionaryColumns(
  onDuplicate: (dictionary: DictionaryItem) => void,
): Column<DictionaryItem>[] {
  const { mutate: remove } = useChange(deleteDictionary)
  const askAndRemove = async ({ id, dataDictionaryName }: DictionaryItem) => {
    const readEffects = async () =>
      deletionMessages.dictionary(await call(previewDictionaryDeletion, { params: { id } }))
    if (await confirmDelete(dataDictionaryName, readEffects)) remove({ params: { id } })
  }
  return [
    {
      header: 'Data dictionary',
      lead: true,
      cell: ({ id, dataDictionaryName }) => (
        <Anchor component={Link} to={dictionaryPath(id)} c="inherit" inherit>
          {dataDictionaryName}
        </Anchor>
      ),
    },
    {
      header: 'Fields',
      width: '112px',
      align: 'end',
      cell: ({ fieldsCount }) => writeCount(fieldsCount),
    },
    {
      header: 'Last updated',
      width: '220px',
      cell: ({ lastUpdated }) => <TimeStamp at={lastUpdated} />,
    },
    {
      header: 'Actions',
      width: '164px',
      cell: (dictionary) => (
        <RowActions
          of={dictionary.dataDictionaryName}
          actions={[
            { label: 'Delete', Icon: IconTrash, onClick: () => void askAndRemove(dictionary) },
            { label: 'Duplicate', Icon: IconCopy, onClick: () => onDuplicate(dictionary) },
            { label: 'Edit', Icon: IconPencil, to: dictionaryPath(dictionary.id) },
          ]}
        />
      ),
    },
  ]
}
