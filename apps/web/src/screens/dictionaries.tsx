import { IconCopy, IconFileImport, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  deleteDictionary,
  type DictionaryItem,
  listDictionaries,
  previewDictionaryDeletion,
} from '@veridict/contract/api/dictionaries'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { writeCount } from '@veridict/contract/notation/count'
import { crumbs, dictionaryPath, paths } from '#app/paths.ts'
import { DuplicateDialog } from '#features/dictionaries/name-dialogs.tsx'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, useChange } from '#lib/http/query-of.ts'
import { ActionButton, TextLink } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { actionsColumn, type Column, RowActions, TimeStamp } from '#ui/tables/data-table.tsx'
import { SearchedTable } from '#ui/tables/paged-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

const title = 'Data dictionaries'

export function Dictionaries() {
  const address = useListAddress()
  const dictionaries = useQuery(pageQueryOf(listDictionaries, { query: address.paging }))
  return (
    <Page title={title} above={[crumbs.home]} actions={<NewDictionaryButtons />}>
      <SearchedTable
        searchLabel="Search by name"
        address={address}
        label={title}
        columns={useDictionaryColumns()}
        rowKey={({ id }) => id}
        query={dictionaries}
        empty={{
          title: submissionMessages.empty,
          text: 'A data dictionary lists the columns that a file must have, and what each of them may hold.',
          action: <ActionButton label="Create the first data dictionary" to={paths.dictionaryCreate} />,
        }}
      />
    </Page>
  )
}

function NewDictionaryButtons() {
  return (
    <>
      <ActionButton label="Import" to={paths.dictionaryImport} variant="default" Icon={IconFileImport} />
      <ActionButton label="Create data dictionary" to={paths.dictionaryCreate} Icon={IconPlus} />
    </>
  )
}

const duplicate = ({ id, dataDictionaryName: name }: DictionaryItem) =>
  openDialog(DuplicateDialog, { dictionary: { id, name } })

function useDictionaryColumns(): Column<DictionaryItem>[] {
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
        <TextLink label={dataDictionaryName} to={dictionaryPath(id)} c="inherit" inherit />
      ),
    },
    { header: 'Fields', width: '112px', align: 'end', cell: ({ fieldsCount }) => writeCount(fieldsCount) },
    { header: 'Last updated', width: '220px', cell: ({ lastUpdated }) => <TimeStamp at={lastUpdated} /> },
    actionsColumn('164px', (dictionary) => (
      <RowActions
        of={dictionary.dataDictionaryName}
        actions={[
          { label: 'Delete', Icon: IconTrash, onClick: () => void askAndRemove(dictionary) },
          { label: 'Duplicate', Icon: IconCopy, onClick: () => duplicate(dictionary) },
          { label: 'Edit', Icon: IconPencil, to: dictionaryPath(dictionary.id) },
        ]}
      />
    )),
  ]
}
