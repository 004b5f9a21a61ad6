import { Anchor, TextInput } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { isStatus } from '#lib/http/call-failure.ts'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { EntryFailure } from './entry-failure.tsx'
import classes from './entry-form.module.css'
import { PasswordField } from './password-field.tsx'
import { SignOnButton } from './sign-on-button.tsx'
import { signOn } from './single-sign-on.ts'
import { useEntryForm } from './use-entry-form.ts'

/** Also true for an unknown e-mail: the server gives both the same response. */
const isWrongPassword = (failure: unknown) => isStatus(failure, 401)

/**
 * E-mail and password. A wrong password is also an error of its input, any other failure a text at the form.
 */
export function LoginForm({ forgotPasswordPath }: { forgotPasswordPath: string }) {
  const { form, isPending, failure, onSubmit } = useEntryForm({
    initialValues: { email: '', password: '' },
    schema: ({ loginForm }) => loginForm,
    send: ({ sendLogin }, values) => sendLogin(values),
    errorsOf: ({ error, text }) =>
      isWrongPassword(error) ? { password: <span role="alert">{text}</span> } : {},
  })
  const { isPending: isSigningOn, failure: signOnFailure } = useSyncExternalStore(
    signOn.subscribe,
    signOn.get,
    signOn.get,
  )
  return (
    <FormWithErrorFocus isBusy={form.submitting} className={classes.form} onSubmit={onSubmit}>
      {failure && !isWrongPassword(failure.error) && <EntryFailure message={failure.text} />}
      {failure === null && signOnFailure !== null && <EntryFailure message={signOnFailure} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <SubmitButton fullWidth isBusy={isPending}>
        Login
      </SubmitButton>
      {/* Not a link of the router, which is not loaded yet. */}
      <Anchor href={forgotPasswordPath} className={classes.link}>
        Forgot password?
      </Anchor>
      <SignOnButton isPending={isSigningOn} />
    </FormWithErrorFocus>
  )
}
