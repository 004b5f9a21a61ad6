import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { queryOptions } from '@tanstack/react-query'
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { listCompanyUsers } from '@veridict/contract/api/companies'
import {
  createUser,
  deleteUser,
  previewUserDeletion,
  readUser,
  resetUserPassword,
  updateUser,
  type UserItem,
} from '@veridict/contract/api/users'
import { newUserForm, userForm } from '@veridict/contract/forms/user'
import { pageSizes } from '@veridict/contract/limits'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { formMessages } from '@veridict/contract/messages/forms'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, useChange } from '#lib/http/query-of.ts'
import { useSession } from '#lib/session/use-session.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { actionsColumn, type Column, RowActions } from '#ui/tables/data-table.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'

/** A page of a company's users, in the shape that administrators have. */
export function companyUsersQuery(companyId: number, page: number) {
  const query = { PageNumber: page, PageSize: pageSizes.companyUsers }
  const input = { params: { id: companyId }, query }
  return queryOptions({ ...pageQueryOf(listCompanyUsers, input), select: withNames })
}

const withNames = (users: ReplyOf<typeof listCompanyUsers>) => ({
  ...users,
  data: users.data.map(({ userName, ...user }): UserItem => ({ ...user, name: userName })),
})

const resetQuestion = ({ name, email }: UserItem): Question => ({
  title: dialogMessages.resetPasswordTitle,
  text: dialogMessages.resetPasswordText(name, email),
  confirmLabel: dialogMessages.resetPasswordTitle,
})

/** `user` is null for a new one. */
export const openUser = (user: UserItem | null, company: UserCompany): void =>
  openDialog(UserDialog, { user, company })

/** The columns of a list of users. Administrators cannot reset or delete themselves. */
export function useUserColumns(company: UserCompany): Column<UserItem>[] {
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
    const edit = { label: 'Edit', Icon: IconPencil, onClick: () => openUser(user, company) }
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
    actionsColumn('164px', (user) => <RowActions of={user.name} actions={actionsOf(user)} />),
  ]
}

/** The company of a user; null for administrators. */
type UserCompany = { id: number; name: string } | null

type UserDialogProps = {
  /** null for a new user. */
  user: UserItem | null
  company: UserCompany
  onClose: () => void
}

/** A user for the form, with the ETag that an update sends back. */
const snapshotOf = ({ name, email, phone, version: etag }: UserItem) => ({
  values: { name, email, phone },
  etag,
})

/** Name, e-mail and phone of a user. A duplicate e-mail is shown at its field. */
function UserDialog({ user, company, onClose }: UserDialogProps) {
  const ownEmail = useSession()?.email ?? ''
  const form = useForm({
    initialValues: user === null ? { name: '', email: '', phone: '' } : snapshotOf(user).values,
    validate: schemaResolver(user === null ? newUserForm : userForm, { sync: true }),
  })
  const params = { id: user?.id ?? 0 }
  const reread = async () => snapshotOf(await call(readUser, { params }))
  const conflict = useConflict(form, user && snapshotOf(user), reread)
  const onConflict = (message: string, failure: unknown) =>
    conflict.show(failure) ||
    form.setFieldError('email', fieldErrorsOf(failure).DuplicateEmail?.[0] ?? message)
  const create = useChange(createUser, onConflict)
  const update = useChange(updateUser, onConflict)
  const save = (values: typeof form.values) => {
    const typed = userForm.parse(values)
    if (user === null)
      create.mutate(
        { body: { ...typed, companyId: company?.id ?? null, isSuperAdmin: company === null } },
        { onSuccess: onClose },
      )
    else update.mutate({ params, body: { ...typed, version: conflict.etag } }, { onSuccess: onClose })
  }
  const kind = company === null ? 'admin' : 'user'
  return (
    <FormDialog
      title={user === null ? `Add ${kind}` : `Edit ${kind}`}
      form={form}
      isSaving={create.isPending || update.isPending}
      onClose={onClose}
      onSave={save}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Email"
        type="email"
        // Nobody changes the e-mail of the own account.
        disabled={user !== null && user.email.toLowerCase() === ownEmail.toLowerCase()}
        description={user === null && 'An email to set the password is sent to this address.'}
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Phone"
        description={formMessages.optional}
        type="tel"
        {...form.getInputProps('phone')}
      />
      {company !== null && <TextInput label="Company" value={company.name} disabled readOnly />}
      {conflict.note}
    </FormDialog>
  )
}
