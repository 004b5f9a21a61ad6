import { useQuery } from '@tanstack/react-query'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { type DictionaryItem, listDictionaries } from '@veridict/contract/api/dictionaries'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { crumbs, paths } from '#app/paths.ts'
import { useDictionaryColumns } from '#features/dictionaries/dictionary-columns.tsx'
import { DuplicateDialog } from '#features/dictionaries/name-dialogs.tsx'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { SearchedTable } from '#ui/tables/searched-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

const title = 'Data dictionaries'

export function Dictionaries() {
  const address = useListAddress()
  const dictionaries = useQuery(pageQueryOf(listDictionaries, { query: address.paging }))
  const [copied, setCopied] = useState<DictionaryItem | null>(null)
  return (
    <Page title={title} above={[crumbs.home]} actions={<NewDictionaryButtons />}>
      <SearchedTable
        searchLabel="Search by name"
        address={address}
        label={title}
        columns={useDictionaryColumns(setCopied)}
        rowKey={({ id }) => id}
        query={dictionaries}
        empty={{
          title: submissionMessages.empty,
          text: 'A data dictionary lists the columns that a file must have, and what each of them may hold.',
          action: <ActionButton label="Create the first data dictionary" to={paths.dictionaryCreate} />,
        }}
      />
      {copied !== null && (
        <DuplicateDialog
          dictionary={{ id: copied.id, name: copied.dataDictionaryName }}
          onClose={() => setCopied(null)}
        />
      )}
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
