import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listCompanyUsers } from '@veridict/contract/api/companies'
import {
  deleteUser,
  previewUserDeletion,
  resetUserPassword,
  type UserItem,
} from '@veridict/contract/api/users'
import { pageSizes } from '@veridict/contract/limits'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useState } from 'react'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import { useSession } from '#lib/session/use-session.ts'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { type UserCompany, UserDialog } from './user-dialog.tsx'

/** A page of a company's users, in the shape that administrators have. */
export const companyUsersQuery = (companyId: number, page: number) =>
  queryOptions({
    queryKey: ['company-users', companyId, { page }],
    queryFn: async ({ signal }) => {
      const query = { PageNumber: page, PageSize: pageSizes.companyUsers }
      const users = await call(listCompanyUsers, { params: { id: companyId }, query, signal })
      return {
        ...users,
        data: users.data.map(({ userName, ...user }): UserItem => ({ ...user, name: userName })),
      }
    },
    placeholderData: keepPreviousData,
  })

const resetQuestion = ({ name, email }: UserItem): Question => ({
  title: dialogMessages.resetPasswordTitle,
  text: dialogMessages.resetPasswordText(name, email),
  confirmLabel: dialogMessages.resetPasswordTitle,
})

/** The columns of a list of users, and the dialog that adds one or edits one. */
export function useUserList(company: UserCompany) {
  /** undefined: no dialog; null: a dialog for a new user. */
  const [edited, setEdited] = useState<UserItem | null | undefined>(undefined)
  return {
    columns: useUserColumns(setEdited),
    addUser: () => setEdited(null),
    dialog: edited !== undefined && (
      <UserDialog user={edited} company={company} onClose={() => setEdited(undefined)} />
    ),
  }
}

/** The columns of a list of users. Administrators cannot reset or delete themselves. */
function useUserColumns(onEdit: (user: UserItem) => void): Column<UserItem>[] {
  const ownEmail = useSession()?.email ?? ''
  const { mutate: remove } = useChange(deleteUser)
  const { mutate: resetPassword } = useChange(resetUserPassword)
  const confirmAndReset = async (user: UserItem) => {
    if (await confirm(resetQuestion(user))) resetPassword({ body: { userId: user.id } })
  }
  const confirmAndRemove = async ({ id, name }: UserItem) => {
    const readEffects = async () => deletionMessages.user(await call(previewUserDeletion, { params: { id } }))
    if (await confirmDelete(name, readEffects)) remove({ params: { id } })
  }
  const actionsOf = (user: UserItem) => {
    const edit = { label: 'Edit', Icon: IconPencil, onClick: () => onEdit(user) }
    if (user.email.toLowerCase() === ownEmail.toLowerCase()) return [edit]
    return [
      { label: 'Reset password', Icon: IconKey, onClick: () => void confirmAndReset(user) },
      { label: 'Delete', Icon: IconTrash, onClick: () => void confirmAndRemove(user) },
      edit,
    ]
  }
  return [
    { header: 'Name', width: '38%', lead: true, cell: ({ name }) => name },
    { header: 'Email', cell: ({ email }) => <BreakableName name={email} /> },
    {
      header: 'Actions',
      width: '164px',
      cell: (user) => <RowActions of={user.name} actions={actionsOf(user)} />,
    },
  ]
}
