import { Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readCompany } from '@veridict/contract/api/companies'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { idOf } from '@veridict/contract/notation/id'
import { useState } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { CompanyDictionaries } from '#features/companies/company-dictionaries.tsx'
import { CompanyInfo } from '#features/companies/company-info.tsx'
import { CompanyTokens } from '#features/companies/company-tokens.tsx'
import { CompanyWebhook } from '#features/companies/company-webhook.tsx'
import { companyUsersQuery, useUserList } from '#features/users/use-user-list.tsx'
import { queryOf } from '#lib/http/query-of.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
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

const [PEOPLE, PROGRAMS] = ['people', 'programs']

/** A company that cannot be read leads to the list. */
function StoredCompany({ id }: { id: number }) {
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') === PROGRAMS ? PROGRAMS : PEOPLE
  const company = useQuery(queryOf(readCompany, { params: { id } }))
  if (company.isError && company.data === undefined) return <Navigate to={paths.companies} replace />
  if (company.data === undefined) return <LoadingPage />
  const name = company.data.companyName
  return (
    <Page title={name} above={[crumbs.home, crumbs.companies]}>
      <Tabs
        value={tab}
        onChange={(opened) => setQuery(opened === PROGRAMS ? { tab: PROGRAMS } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb={24}>
          <Tabs.Tab value={PEOPLE}>People and dictionaries</Tabs.Tab>
          <Tabs.Tab value={PROGRAMS}>Programs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={PEOPLE}>
          <Users company={{ id, name }} />
          <CompanyDictionaries companyId={id} />
          <CompanyInfo id={id} company={company.data} />
        </Tabs.Panel>
        <Tabs.Panel value={PROGRAMS}>
          <CompanyTokens companyId={id} />
          <CompanyWebhook companyId={id} />
        </Tabs.Panel>
      </Tabs>
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
      actions={<ActionButton label="Add user" variant="default" Icon={IconPlus} onClick={addUser} />}
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
