import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { listAdministrators } from '@veridict/contract/api/users'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { crumbs } from '#app/paths.ts'
import { openUser, useUserColumns } from '#features/users/use-user-columns.tsx'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { Page } from '#ui/layout/page.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

const title = 'Manage administrators'

/** See docs/BEHAVIOUR.md#companies-and-administrators. */
export function Settings() {
  const { page, goTo } = useListAddress()
  const query = { PageNumber: page, PageSize: pageSizes.default }
  const administrators = useQuery(pageQueryOf(listAdministrators, { query }))
  return (
    <Page
      title={title}
      above={[crumbs.home]}
      actions={<ActionButton label="Add admin" Icon={IconPlus} onClick={() => openUser(null, null)} />}
    >
      <PagedTable
        label="Administrators"
        columns={useUserColumns(null)}
        rowKey={({ id }) => id}
        query={administrators}
        page={page}
        onPage={goTo}
        empty={<NoticeBlock title={submissionMessages.empty} />}
      />
    </Page>
  )
}
