import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CompanyItem } from '@veridict/contract/api/companies'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { companiesQuery } from '#features/companies/api.ts'
import { useCompanyColumns } from '#features/companies/company-columns.tsx'
import { UserDialog } from '#features/users/user-dialog.tsx'
import { useSession } from '#lib/session/use-session.ts'
import { Page } from '#ui/layout/page.tsx'
import { EmptyList } from '#ui/tables/empty-list.tsx'
import { PagedTable } from '#ui/tables/paged-table.tsx'
import { SearchBox } from '#ui/tables/search-box.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'

export function Companies() {
  const { searchText, page, search, goTo } = useListAddress()
  const companies = useQuery(companiesQuery(searchText, page))
  const [newUserCompany, setNewUserCompany] = useState<CompanyItem | null>(null)
  const columns = useCompanyColumns(setNewUserCompany)
  const ownEmail = useSession()?.email ?? ''
  return (
    <Page
      title="Companies"
      crumbs={[{ label: 'Home', to: paths.home }, { label: 'Companies' }]}
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
      <SearchBox label="Search by company name" value={searchText} onSearch={search} />
      <PagedTable
        label="Companies"
        columns={columns}
        rowKey={({ companyId }) => companyId}
        query={companies}
        page={page}
        pageSize={pageSizes.default}
        onPage={goTo}
        empty={
          <EmptyList
            title={submissionMessages.empty}
            text={'A company has users, a storage folder, and the data dictionaries that its files must fit.'}
            searchText={searchText}
            onClearSearch={() => search('')}
            action={
              <Button component={Link} to={paths.companyCreate}>
                Create the first company
              </Button>
            }
          />
        }
      />
      {newUserCompany !== null && (
        <UserDialog
          user={null}
          company={{ id: newUserCompany.companyId, name: newUserCompany.companyName }}
          ownEmail={ownEmail}
          onClose={() => setNewUserCompany(null)}
        />
      )}
    </Page>
  )
}
