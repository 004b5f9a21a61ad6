import { useQuery } from '@tanstack/react-query'
import { endOtherSessions, listSessions } from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import { crumbs } from '#app/paths.ts'
import { useSessionColumns } from '#features/session/session-columns.tsx'
import { queryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { ListTable } from '#ui/tables/data-table.tsx'

const title = sessionMessages.sessionsTitle

/** Where one's own account is logged in. See docs/BEHAVIOUR.md#sessions-and-passwords. */
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
