import { IconSend } from '@tabler/icons-react'
import { type MailItem, sendMailAgain } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { useChange } from '#lib/http/use-change.ts'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'

/** The columns of the list of undelivered e-mails. */
export function useMailColumns(): Column<MailItem>[] {
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
    {
      header: 'Actions',
      width: '110px',
      cell: ({ id, recipient }) => (
        <RowActions
          of={recipient}
          actions={[
            { label: mailMessages.sendAgain, Icon: IconSend, onClick: () => sendAgain({ params: { id } }) },
          ]}
        />
      ),
    },
  ]
}
