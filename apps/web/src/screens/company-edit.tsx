import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readCompany } from '@veridict/contract/api/companies'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { idOf } from '@veridict/contract/notation/id'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { CompanyDictionaries } from '#features/companies/company-dictionaries.tsx'
import { CompanyInfo } from '#features/companies/company-info.tsx'
import { CompanyTokens } from '#features/companies/company-tokens.tsx'
import { CompanyWebhook } from '#features/companies/company-webhook.tsx'
import { companyUsersQuery, useUserList } from '#features/users/use-user-list.tsx'
import { queryOf } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { LoadingPage } from '#ui/layout/loading-page.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { NotFound } from './not-found.tsx'

/**
 * A company, its users, its dictionaries, and how programs reach it. See
 * docs/BEHAVIOUR.md#companies-and-administrators.
 */
export function CompanyEdit() {
  const id = idOf(useParams().companyId)
  return id === null ? <NotFound /> : <StoredCompany id={id} />
}

/** A company that cannot be read leads to the list. */
function StoredCompany({ id }: { id: number }) {
  const company = useQuery(queryOf(readCompany, { params: { id } }))
  if (company.isError && company.data === undefined) return <Navigate to={paths.companies} replace />
  if (company.data === undefined) return <LoadingPage />
  const name = company.data.companyName
  return (
    <Page title={name} above={[crumbs.home, crumbs.companies]}>
      <CompanyInfo id={id} company={company.data} />
      <Users company={{ id, name }} />
      <CompanyDictionaries companyId={id} />
      <CompanyTokens companyId={id} />
      <CompanyWebhook companyId={id} />
    </Page>
  )
}

function Users({ company }: { company: { id: number; name: string } }) {
  const [page, setPage] = useState(1)
  const users = useQuery(companyUsersQuery(company.id, page))
  const { columns, addUser, dialog } = useUserList(company)
  return (
    <Panel
      title="Users"
      count={users.data?.totalCount}
      actions={
        <Button
          variant="default"
          leftSection={<IconPlus size={17} stroke={2} aria-hidden />}
          onClick={addUser}
        >
          Add user
        </Button>
      }
    >
      <PagedTable
        label="Users"
        columns={columns}
        rowKey={({ id }) => id}
        query={users}
        page={page}
        pageSize={pageSizes.companyUsers}
        onPage={setPage}
        quietPager
        empty={
          <NoticeBlock
            title={submissionMessages.empty}
            text="Without a user, no files can be uploaded for this company."
          />
        }
      />
      {dialog}
    </Panel>
  )
}
