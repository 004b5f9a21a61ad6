import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CompanyItem, listCompanies } from '@veridict/contract/api/companies'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { Link } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { useCompanyColumns } from '#features/companies/company-columns.tsx'
import { UserDialog } from '#features/users/user-dialog.tsx'
import { pageQueryOf } from '#lib/http/query-of.ts'
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
      actions={
        <Button
          component={Link}
          to={paths.companyCreate}
          leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
        >
          Create new company
        </Button>
      }
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
          action: (
            <Button component={Link} to={paths.companyCreate}>
              Create the first company
            </Button>
          ),
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
