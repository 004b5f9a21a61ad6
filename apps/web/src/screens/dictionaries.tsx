import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import type { DictionaryItem } from '@veridict/contract/api/dictionaries'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { Link } from 'react-router'
import { dictionaryPath, paths } from '#app/paths.ts'
import { dictionariesQuery } from '#features/dictionaries/api.ts'
import { useDictionaryColumns } from '#features/dictionaries/dictionary-columns.tsx'
import { DuplicateDialog } from '#features/dictionaries/name-dialogs.tsx'
import { EmptyList } from '#ui/tables/empty-list.tsx'
import { Page } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

const title = 'Data dictionaries'

export function Dictionaries() {
  const { searchText, page, search, goTo } = useListAddress()
  const dictionaries = useQuery(dictionariesQuery(searchText, page))
  const [copied, setCopied] = useState<DictionaryItem | null>(null)
  const columns = useDictionaryColumns(dictionaryPath, setCopied)
  return (
    <Page
      title={title}
      crumbs={[{ label: 'Home', to: paths.home }, { label: title }]}
      actions={<NewDictionaryButtons />}
    >
      <SearchBox label="Search by name" value={searchText} onSearch={search} />
      <PagedTable
        label={title}
        columns={columns}
        rowKey={({ id }) => id}
        query={dictionaries}
        page={page}
        pageSize={pageSizes.default}
        onPage={goTo}
        empty={
          <EmptyList
            title={submissionMessages.empty}
            text="A data dictionary lists the columns that a file must have, and what each of them may hold."
            searchText={searchText}
            onClearSearch={() => search('')}
            action={
              <Button component={Link} to={paths.dictionaryCreate}>
                Create the first data dictionary
              </Button>
            }
          />
        }
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
      <Button
        component={Link}
        to={paths.dictionaryImport}
        variant="default"
        leftSection={<IconFileImport size={18} stroke={1.8} aria-hidden />}
      >
        Import
      </Button>
      <Button
        component={Link}
        to={paths.dictionaryCreate}
        leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
      >
        Create data dictionary
      </Button>
    </>
  )
}
