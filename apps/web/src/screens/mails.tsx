import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { listMails, type MailItem, sendMailAgain } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { crumbs } from '#app/paths.ts'
import { pageQueryOf, useChange } from '#lib/http/query-of.ts'
import { Page } from '#ui/layout/page.tsx'
import { actionsColumn, type Column, RowActions, TimeStamp } from '#ui/tables/data-table.tsx'
import { SearchedTable } from '#ui/tables/paged-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'
import { BreakableName } from '#ui/text/breakable-name.tsx'

/** See docs/BEHAVIOUR.md#e-mail. */
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

function useMailColumns(): Column<MailItem>[] {
  const { mutate: sendAgain } = useChange(sendMailAgain)
  return [
    {
      header: 'Recipient',
      width: '22%',
      lead: true,
      cell: ({ recipient }) => <BreakableName name={recipient} />,
    },
    { header: 'Subject', width: '24%', cell: ({ subject }) => subject },
    {
      header: 'Reply of the mail server',
      width: '30%',
      cell: ({ lastError }) => <BreakableName name={lastError ?? ''} />,
    },
    { header: 'Given up', cell: ({ parkedAt }) => <TimeStamp at={parkedAt!} /> },
    actionsColumn('110px', ({ id, recipient }) => (
      <RowActions
        of={recipient}
        actions={[
          { label: mailMessages.sendAgain, Icon: IconSend, onClick: () => sendAgain({ params: { id } }) },
        ]}
      />
    )),
  ]
}
