import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endOtherSessions, endSession, listSessions, type SessionItem } from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import { crumbs } from '#app/paths.ts'
import { queryOf, useChange } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { actionsColumn, type Column, ListTable, RowActions, TimeStamp } from '#ui/tables/data-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { Tag } from '#ui/text/tag.tsx'
import classes from './sessions.module.css'

const title = sessionMessages.sessionsTitle

/** See docs/BEHAVIOUR.md#sessions-and-passwords. */
export function Sessions() {
  const sessions = useQuery(queryOf(listSessions))
  const endOthers = useChange(endOtherSessions)
  const hasOthers = (sessions.data?.length ?? 0) > 1
  return (
    <Page
      title={title}
      lead={sessionMessages.sessionsLead}
      above={[crumbs.home]}
      actions={
        hasOthers && (
          <ActionButton
            label={sessionMessages.endOthers}
            variant="default"
            isBusy={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          />
        )
      }
    >
      <ListTable
        label={title}
        what="The list of sessions"
        columns={useSessionColumns()}
        query={sessions}
        rowKey={({ id }) => id}
        empty={null}
        skeletonRows={2}
      />
    </Page>
  )
}

const deviceOf = ({ device }: SessionItem) => device || sessionMessages.unknownDevice

/** The present one ends by "Log out". */
function useSessionColumns(): Column<SessionItem>[] {
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
    actionsColumn(
      '110px',
      (session) =>
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
    ),
  ]
}
