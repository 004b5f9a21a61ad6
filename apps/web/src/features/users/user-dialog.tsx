import { TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import type { UserItem } from '@veridict/contract/api/users'
import { newUserForm, userForm } from '@veridict/contract/forms/user'
import { formMessages } from '@veridict/contract/messages/forms'
import { confirmAndClose } from '#lib/forms/use-dirty-guard.ts'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/use-change.ts'
import { useSession } from '#lib/session/use-session.ts'
import { FormDialog } from '#ui/forms/form-dialog.tsx'
import { rereadUser, saveUser, userSnapshot, type UserCompany } from './api.ts'

export type UserDialogProps = {
  /** null for a new user. */
  user: UserItem | null
  company: UserCompany
  onClose: () => void
}

/** Name, e-mail and phone of a user. A duplicate e-mail is shown at its field. */
export function UserDialog({ user, company, onClose }: UserDialogProps) {
  const ownEmail = useSession()?.email ?? ''
  const form = useForm({
    initialValues: { name: user?.name ?? '', email: user?.email ?? '', phone: user?.phone ?? '' },
    validate: schemaResolver(user === null ? newUserForm : userForm, { sync: true }),
  })
  const conflict = useConflict(form, user && userSnapshot(user), () => rereadUser(user?.id ?? 0))
  const save = useChange(
    (values: typeof form.values) => saveUser(user, company, userForm.parse(values), conflict.etag),
    (message, failure) =>
      conflict.show(failure) ||
      form.setFieldError('email', fieldErrorsOf(failure).DuplicateEmail?.[0] ?? message),
  )
  const kind = company === null ? 'admin' : 'user'
  return (
    <FormDialog
      title={user === null ? `Add ${kind}` : `Edit ${kind}`}
      canSave={form.isDirty()}
      isSaving={save.isPending}
      onClose={() => void confirmAndClose(form.isDirty(), onClose)}
      onSubmit={form.onSubmit((values) => save.mutate(values, { onSuccess: onClose }))}
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
