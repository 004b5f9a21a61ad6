import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react'
import type { UserItem } from '@veridict/contract/api/users'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useMemo, useState } from 'react'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { useSession } from '#lib/session/use-session.ts'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import type { Column } from '#ui/tables/data-table.tsx'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { effectsOfDeletion, useDeleteUser, type UserCompany, useResetPassword } from './api.ts'
import { UserDialog } from './user-dialog.tsx'

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
  const { mutate: remove } = useDeleteUser()
  const { mutate: resetPassword } = useResetPassword()
  return useMemo(() => {
    const confirmAndReset = async (user: UserItem) => {
      if (await confirm(resetQuestion(user))) resetPassword(user.id)
    }
    const actionsOf = (user: UserItem) => {
      const edit = { label: 'Edit', Icon: IconPencil, onClick: () => onEdit(user) }
      if (user.email.toLowerCase() === ownEmail.toLowerCase()) return [edit]
      const confirmAndRemove = async () => {
        if (await confirmDelete(user.name, () => effectsOfDeletion(user.id))) remove(user.id)
      }
      return [
        { label: 'Reset password', Icon: IconKey, onClick: () => void confirmAndReset(user) },
        { label: 'Delete', Icon: IconTrash, onClick: () => void confirmAndRemove() },
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
  }, [ownEmail, onEdit, remove, resetPassword])
}
