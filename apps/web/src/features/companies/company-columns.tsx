import { Anchor } from '@mantine/core'
import { IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { type CompanyItem, deleteCompany, previewCompanyDeletion } from '@veridict/contract/api/companies'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { writeCount } from '@veridict/contract/notation/count'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import type { Column } from '#ui/tables/data-table.tsx'
import { type RowAction, RowActions } from '#ui/tables/row-actions.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'

export function useCompanyColumns(onAddUser: (company: CompanyItem) => void): Column<CompanyItem>[] {
  const { mutate: remove } = useChange(deleteCompany)
  const confirmAndRemove = async ({ companyId: id, companyName }: CompanyItem) => {
    const readEffects = async () =>
      deletionMessages.company(await call(previewCompanyDeletion, { params: { id } }))
    if (await confirmDelete(companyName, readEffects)) remove({ params: { id } })
  }
  return columns((company) => [
    { label: 'Delete', Icon: IconTrash, onClick: () => void confirmAndRemove(company) },
    { label: 'Add user', Icon: IconUserPlus, onClick: () => onAddUser(company) },
    { label: 'Edit', Icon: IconPencil, to: paths.companyEdit(company.companyId) },
  ])
}

const columns = (actionsOf: (company: CompanyItem) => RowAction[]): Column<CompanyItem>[] => [
  {
    header: 'Company',
    width: '28%',
    lead: true,
    cell: ({ companyId, companyName }) => (
      <Anchor component={Link} to={paths.companyEdit(companyId)} c="inherit" inherit>
        {companyName}
      </Anchor>
    ),
  },
  {
    header: 'STORAGE FOLDER',
    width: '24%',
    cell: ({ containerName }) => <BreakableName name={containerName} />,
  },
  {
    header: 'Users',
    align: 'end',
    cell: ({ userCount }) => writeCount(userCount),
  },
  {
    header: 'Data Dictionaries',
    width: '152px',
    align: 'end',
    cell: (row) => writeCount(row.dataDictionaryCount),
  },
  {
    header: 'Last updated',
    width: '180px',
    cell: ({ lastUpdated }) => <TimeStamp at={lastUpdated} />,
  },
  {
    header: 'Actions',
    width: '152px',
    cell: (company) => <RowActions of={company.companyName} actions={actionsOf(company)} />,
  },
]
