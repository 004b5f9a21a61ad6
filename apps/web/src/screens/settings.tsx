import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import type { UserItem } from '@veridict/contract/api/users'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { paths } from '#app/paths.ts'
import { administratorsQuery } from '#features/users/api.ts'
import { useUserColumns } from '#features/users/user-columns.tsx'
import { UserDialog } from '#features/users/user-dialog.tsx'
import { useSession } from '#lib/session/use-session.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { Page } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

const title = 'Manage administrators'

/** The accounts of administrators. See docs/BEHAVIOUR.md#companies-and-administrators. */
export function Settings() {
  const ownEmail = useSession()?.email ?? ''
  const { page, goTo } = useListAddress()
  const administrators = useQuery(administratorsQuery(page))
  /** undefined: no dialog; null: a dialog for a new administrator. */
  const [edited, setEdited] = useState<UserItem | null | undefined>(undefined)
  const columns = useUserColumns(ownEmail, setEdited)
  return (
    <Page
      title={title}
      crumbs={[{ label: 'Home', to: paths.home }, { label: title }]}
      actions={
        <Button leftSection={<IconPlus size={18} stroke={2} aria-hidden />} onClick={() => setEdited(null)}>
          Add admin
        </Button>
      }
    >
      <PagedTable
        label="Administrators"
        columns={columns}
        rowKey={({ id }) => id}
        query={administrators}
        page={page}
        pageSize={pageSizes.default}
        onPage={goTo}
        empty={<NoticeBlock title={submissionMessages.empty} />}
      />
      {edited !== undefined && (
        <UserDialog user={edited} company={null} ownEmail={ownEmail} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}
