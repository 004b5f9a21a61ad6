import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { createUser, readUser, updateUser, type UserItem } from '@veridict/contract/api/users'
import { newUserForm, userForm } from '@veridict/contract/forms/user'
import { formMessages } from '@veridict/contract/messages/forms'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import { useSession } from '#lib/session/use-session.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'

/** The company of a user; null for administrators. */
export type UserCompany = { id: number; name: string } | null

export type UserDialogProps = {
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
export function UserDialog({ user, company, onClose }: UserDialogProps) {
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
      canSave={form.isDirty()}
      isSaving={create.isPending || update.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        // Nobody changes the e-mail of the own account.
        disabled={user !== null && user.email.toLowerCase() === ownEmail.toLowerCase()}
        description={user === null && 'An email to set the password is sent to this address.'}
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Phone"
        description={formMessages.optional}
        type="tel"
        autoComplete="off"
        {...form.getInputProps('phone')}
      />
      {company !== null && <TextInput label="Company" value={company.name} disabled readOnly />}
      {conflict.note}
    </FormDialog>
  )
}
