import { Anchor } from '@mantine/core'
import { IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react'
import type { CompanyItem } from '@veridict/contract/api/companies'
import { writeCount } from '@veridict/contract/notation/count'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import type { Column } from '#ui/tables/data-table.tsx'
import { type RowAction, RowActions } from '#ui/tables/row-actions.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { TimeStamp } from '#ui/text/time-stamp.tsx'
import { effectsOfDeletion, useDeleteCompany } from './api.ts'

export function useCompanyColumns(onAddUser: (company: CompanyItem) => void): Column<CompanyItem>[] {
  const { mutate: remove } = useDeleteCompany()
  return useMemo(() => {
    const confirmAndRemove = async ({ companyId, companyName }: CompanyItem) => {
      if (await confirmDelete(companyName, () => effectsOfDeletion(companyId))) remove(companyId)
    }
    return columns((company) => [
      { label: 'Delete', Icon: IconTrash, onClick: () => void confirmAndRemove(company) },
      { label: 'Add user', Icon: IconUserPlus, onClick: () => onAddUser(company) },
      { label: 'Edit', Icon: IconPencil, to: paths.companyEdit(company.companyId) },
    ])
  }, [onAddUser, remove])
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
