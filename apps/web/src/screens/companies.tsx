import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CompanyItem, listCompanies } from '@veridict/contract/api/companies'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { crumbs, paths } from '#app/paths.ts'
import { useCompanyColumns } from '#features/companies/company-columns.tsx'
import { UserDialog } from '#features/users/user-dialog.tsx'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { SearchedTable } from '#ui/tables/searched-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

export function Companies() {
  const address = useListAddress()
  const companies = useQuery(pageQueryOf(listCompanies, { query: address.paging }))
  const [newUserCompany, setNewUserCompany] = useState<CompanyItem | null>(null)
  return (
    <Page
      title="Companies"
      above={[crumbs.home]}
      actions={<ActionButton label="Create new company" to={paths.companyCreate} Icon={IconPlus} />}
    >
      <SearchedTable
        searchLabel="Search by company name"
        address={address}
        label="Companies"
        columns={useCompanyColumns(setNewUserCompany)}
        rowKey={({ companyId }) => companyId}
        query={companies}
        empty={{
          title: submissionMessages.empty,
          text: 'A company has users, a storage folder, and the data dictionaries that its files must fit.',
          action: <ActionButton label="Create the first company" to={paths.companyCreate} />,
        }}
      />
      {newUserCompany !== null && (
        <UserDialog
          user={null}
          company={{ id: newUserCompany.companyId, name: newUserCompany.companyName }}
          onClose={() => setNewUserCompany(null)}
        />
      )}
    </Page>
  )
}
