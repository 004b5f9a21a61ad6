import { Anchor, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type LoginForm as LoginValues, loginForm } from '@veridict/contract/forms/login'
import { Link } from 'react-router'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { useLogIn } from './api.ts'
import classes from './entry-form.module.css'
import { PasswordField } from './password-field.tsx'

/** E-mail and password. A refusal shows a notice. */
export function LoginForm({ forgotPasswordPath }: { forgotPasswordPath: string }) {
  const logIn = useLogIn()
  const form = useForm<LoginValues>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginForm, { sync: true }),
  })
  return (
    <FormWithErrorFocus
      isBusy={logIn.isPending}
      className={classes.form}
      onSubmit={form.onSubmit((values) => logIn.mutate(loginForm.parse(values)))}
    >
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
