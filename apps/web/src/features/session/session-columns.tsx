import { IconLogout } from '@tabler/icons-react'
import { endSession, type SessionItem } from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import { useChange } from '#lib/http/use-change.ts'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Tag } from '#ui/text/tag.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'
import classes from './session-columns.module.css'

const deviceOf = ({ device }: SessionItem) => device || sessionMessages.unknownDevice

/** The columns of the list of one's own sessions. The present one ends by "Log out". */
export function useSessionColumns(): Column<SessionItem>[] {
  const { mutate: end } = useChange(endSession)
  return [
    {
      header: 'Device',
      lead: true,
      cell: (session) => (
        <span className={classes.device}>
          {deviceOf(session)} {session.isCurrent && <Tag text={sessionMessages.thisSession} tone="brand" />}
        </span>
      ),
    },
    { header: 'Address', cell: ({ address }) => <BreakableName name={address} /> },
    { header: 'Logged in', cell: ({ createdAt }) => <TimeStamp at={createdAt} /> },
    { header: 'Last used', cell: ({ lastUsedAt }) => <TimeStamp at={lastUsedAt} /> },
    {
      header: 'Actions',
      width: '110px',
      cell: (session) =>
        !session.isCurrent && (
          <RowActions
            of={deviceOf(session)}
            actions={[
              {
                label: sessionMessages.endSession,
                Icon: IconLogout,
                onClick: () => end({ params: { id: session.id } }),
              },
            ]}
          />
        ),
    },
  ]
}
