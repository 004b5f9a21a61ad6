import { IconPencil, IconPlus, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type CompanyItem,
  deleteCompany,
  listCompanies,
  previewCompanyDeletion,
} from '@veridict/contract/api/companies'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { writeCount } from '@veridict/contract/notation/count'
import { crumbs, paths } from '#app/paths.ts'
import { openUser } from '#features/users/use-user-columns.tsx'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, useChange } from '#lib/http/query-of.ts'
import { ActionButton, TextLink } from '#ui/forms/action-button.tsx'
import { Page } from '#ui/layout/page.tsx'
import { actionsColumn, type Column, RowActions, TimeStamp } from '#ui/tables/data-table.tsx'
import { SearchedTable } from '#ui/tables/paged-table.tsx'
import { useListAddress } from '#ui/tables/use-list-address.ts'
import { BreakableName } from '#ui/text/breakable-name.tsx'

export function Companies() {
  const address = useListAddress()
  const companies = useQuery(pageQueryOf(listCompanies, { query: address.paging }))
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
        columns={useCompanyColumns()}
        rowKey={({ companyId }) => companyId}
        query={companies}
        empty={{
          title: submissionMessages.empty,
          text: 'A company has users, a storage folder, and the data dictionaries that its files must fit.',
          action: <ActionButton label="Create the first company" to={paths.companyCreate} />,
        }}
      />
    </Page>
  )
}

function useCompanyColumns(): Column<CompanyItem>[] {
  const { mutate: remove } = useChange(deleteCompany)
  const confirmAndRemove = async ({ companyId: id, companyName }: CompanyItem) => {
    const readEffects = async () =>
      deletionMessages.company(await call(previewCompanyDeletion, { params: { id } }))
    if (await confirmDelete(companyName, readEffects)) remove({ params: { id } })
  }
  const actionsOf = (company: CompanyItem) => {
    const { companyId: id, companyName: name } = company
    return [
      { label: 'Delete', Icon: IconTrash, onClick: () => void confirmAndRemove(company) },
      { label: 'Add user', Icon: IconUserPlus, onClick: () => openUser(null, { id, name }) },
      { label: 'Edit', Icon: IconPencil, to: paths.companyEdit(id) },
    ]
  }
  return [
    {
      header: 'Company',
      width: '28%',
      lead: true,
      cell: ({ companyId, companyName }) => (
        <TextLink label={companyName} to={paths.companyEdit(companyId)} c="inherit" inherit />
      ),
    },
    {
      header: 'STORAGE FOLDER',
      width: '24%',
      cell: ({ containerName }) => <BreakableName name={containerName} />,
    },
    { header: 'Users', align: 'end', cell: ({ userCount }) => writeCount(userCount) },
    {
      header: 'Data Dictionaries',
      width: '152px',
      align: 'end',
      cell: (row) => writeCount(row.dataDictionaryCount),
    },
    { header: 'Last updated', width: '180px', cell: ({ lastUpdated }) => <TimeStamp at={lastUpdated} /> },
    actionsColumn('152px', (company) => <RowActions of={company.companyName} actions={actionsOf(company)} />),
  ]
}
