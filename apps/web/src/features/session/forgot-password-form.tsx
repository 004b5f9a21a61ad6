import { Anchor, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { EntryFailure } from './entry-failure.tsx'
import classes from './entry-form.module.css'
import { useEntryForm } from './use-entry-form.ts'

/** Requests the e-mail with a link. The response is the same for unknown addresses, and stays at the form. */
export function ForgotPasswordForm({ loginPath }: { loginPath: string }) {
  const { form, isPending, failure, reply, onSubmit } = useEntryForm({
    initialValues: { email: '' },
    schema: ({ forgotPasswordForm }) => forgotPasswordForm,
    send: ({ sendForgotPassword }, values) => sendForgotPassword(values),
  })
  return (
    <FormWithErrorFocus isBusy={form.submitting} className={classes.form} onSubmit={onSubmit}>
      {failure && <EntryFailure message={failure.text} />}
      {reply && <SuccessPanel title={reply.message} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <SubmitButton fullWidth isBusy={isPending}>
        Send email
      </SubmitButton>
      <Anchor component={Link} to={loginPath} className={classes.link}>
        Back to login
      </Anchor>
    </FormWithErrorFocus>
  )
}
