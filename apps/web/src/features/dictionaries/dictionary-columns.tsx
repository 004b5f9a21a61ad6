import { Anchor } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import type { DictionaryItem } from '@veridict/contract/api/dictionaries'
import { writeCount } from '@veridict/contract/notation/count'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'
import { effectsOfDeletion, useDeleteDictionary } from './api.ts'

/** Columns of the list of dictionaries. */
export function useDictionaryColumns(
  editPath: (id: number) => string,
  onDuplicate: (dictionary: DictionaryItem) => void,
): Column<DictionaryItem>[] {
  const { mutate: remove } = useDeleteDictionary()
  return useMemo(() => {
    const askAndRemove = async ({ id, dataDictionaryName }: DictionaryItem) => {
      if (await confirmDelete(dataDictionaryName, () => effectsOfDeletion(id))) remove(id)
    }
    return [
      {
        header: 'Data dictionary',
        lead: true,
        cell: ({ id, dataDictionaryName }) => (
          <Anchor component={Link} to={editPath(id)} c="inherit" inherit>
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
              { label: 'Edit', Icon: IconPencil, to: editPath(dictionary.id) },
            ]}
          />
        ),
      },
    ]
  }, [editPath, onDuplicate, remove])
}
