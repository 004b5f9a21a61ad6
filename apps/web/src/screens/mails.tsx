import { useQuery } from '@tanstack/react-query'
import { listMails } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { crumbs } from '#app/paths.ts'
import { useMailColumns } from '#features/admin/mail-columns.tsx'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { Page } from '#ui/layout/page.tsx'
import { SearchedTable } from '#ui/tables/searched-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

/** What the mail server refused, for administrators. See docs/BEHAVIOUR.md#e-mail. */
export function Mails() {
  const address = useListAddress()
  const mails = useQuery(pageQueryOf(listMails, { query: { ...address.paging, Parked: 'true' } }))
  return (
    <Page title={mailMessages.title} lead={mailMessages.lead} above={[crumbs.home]}>
      <SearchedTable
        searchLabel={mailMessages.search}
        address={address}
        label={mailMessages.title}
        columns={useMailColumns()}
        rowKey={({ id }) => id}
        query={mails}
        empty={{ title: mailMessages.empty, text: mailMessages.emptyText }}
      />
    </Page>
  )
}
