import { Anchor, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type ForgotPasswordForm as Values, forgotPasswordForm } from '@veridict/contract/forms/login'
import { Link } from 'react-router'
import { textOfFailure } from '#lib/http/error-notice.ts'
import { SuccessPanel } from '#ui/feedback/success-panel.tsx'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { useForgotPassword } from './api.ts'
import { EntryFailure } from './entry-failure.tsx'
import classes from './entry-form.module.css'

/** Requests the e-mail with a link. The response is the same for unknown addresses, and stays at the form. */
export function ForgotPasswordForm({ loginPath }: { loginPath: string }) {
  const forgotPassword = useForgotPassword()
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: schemaResolver(forgotPasswordForm, { sync: true }),
  })
  return (
    <FormWithErrorFocus
      isBusy={forgotPassword.isPending}
      className={classes.form}
      onSubmit={form.onSubmit((values) => forgotPassword.mutate(forgotPasswordForm.parse(values).email))}
    >
      {forgotPassword.isError && <EntryFailure message={textOfFailure(forgotPassword.error)} />}
      {forgotPassword.isSuccess && <SuccessPanel title={forgotPassword.data.message} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <SubmitButton fullWidth isBusy={forgotPassword.isPending}>
        Send email
      </SubmitButton>
      <Anchor component={Link} to={loginPath} className={classes.link}>
        Back to login
      </Anchor>
    </FormWithErrorFocus>
  )
}
