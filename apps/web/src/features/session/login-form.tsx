import { Anchor, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type LoginForm as LoginValues, loginForm } from '@veridict/contract/forms/login'
import { Link } from 'react-router'
import { isStatus } from '#lib/http/call-failure.ts'
import { textOfFailure } from '#lib/http/error-notice.ts'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { useLogIn } from './api.ts'
import { EntryFailure } from './entry-failure.tsx'
import classes from './entry-form.module.css'
import { PasswordField } from './password-field.tsx'

/** The same response for an unknown e-mail. */
const isWrongPassword = (failure: unknown) => isStatus(failure, 401)

/**
 * E-mail and password. A wrong password is also an error of its input, any other failure a text at the form.
 */
export function LoginForm({ forgotPasswordPath }: { forgotPasswordPath: string }) {
  const logIn = useLogIn()
  const form = useForm<LoginValues>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginForm, { sync: true }),
  })
  const showAtPassword = (failure: unknown) => {
    if (isWrongPassword(failure))
      form.setFieldError('password', <span role="alert">{textOfFailure(failure)}</span>)
  }
  return (
    <FormWithErrorFocus
      isBusy={logIn.isPending}
      className={classes.form}
      onSubmit={form.onSubmit((values) => logIn.mutate(loginForm.parse(values), { onError: showAtPassword }))}
    >
      {logIn.isError && !isWrongPassword(logIn.error) && (
        <EntryFailure message={textOfFailure(logIn.error)} />
      )}
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
      <SubmitButton fullWidth isBusy={logIn.isPending}>
        Login
      </SubmitButton>
      <Anchor component={Link} to={forgotPasswordPath} className={classes.link}>
        Forgot password?
      </Anchor>
    </FormWithErrorFocus>
  )
}
