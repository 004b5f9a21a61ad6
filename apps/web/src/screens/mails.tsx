import { useQuery } from '@tanstack/react-query'
import { pageSizes } from '@veridict/contract/limits'
import { mailMessages } from '@veridict/contract/messages/mails'
import { paths } from '#app/paths.ts'
import { undeliveredMailsQuery } from '#features/admin/api.ts'
import { useMailColumns } from '#features/admin/mail-columns.tsx'
import { Page } from '#ui/layout/page.tsx'
import { EmptyList } from '#ui/tables/empty-list.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

/** What the mail server refused, for administrators. See docs/BEHAVIOUR.md#e-mail. */
export function Mails() {
  const { searchText, page, search, goTo } = useListAddress()
  const mails = useQuery(undeliveredMailsQuery(searchText, page))
  const columns = useMailColumns()
  return (
    <Page
      title={mailMessages.title}
      lead={mailMessages.lead}
      crumbs={[{ label: 'Home', to: paths.home }, { label: mailMessages.title }]}
    >
      <SearchBox label={mailMessages.search} value={searchText} onSearch={search} />
      <PagedTable
        label={mailMessages.title}
        columns={columns}
        rowKey={({ id }) => id}
        query={mails}
        page={page}
        pageSize={pageSizes.default}
        onPage={goTo}
        empty={
          <EmptyList
            title={mailMessages.empty}
            text={mailMessages.emptyText}
            searchText={searchText}
            onClearSearch={() => search('')}
          />
        }
      />
    </Page>
  )
}
