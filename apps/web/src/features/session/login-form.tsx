import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type LoginForm as LoginValues, loginForm } from '@veridict/contract/forms/login'
import { Link } from 'react-router'
import { useLogIn } from './api.ts'
import classes from './entry-form.module.css'

/** E-mail and password. A refusal is told by a notification (spec §8). */
export function LoginForm({ forgotPasswordPath }: { forgotPasswordPath: string }) {
  const logIn = useLogIn()
  const form = useForm<LoginValues>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginForm, { sync: true }),
  })
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit((values) => logIn.mutate(loginForm.parse(values)))}>
      <TextInput label="Email" type="email" autoComplete="username" autoFocus key={form.key('email')} {...form.getInputProps('email')} />
      <PasswordInput label="Password" autoComplete="current-password" key={form.key('password')} {...form.getInputProps('password')} />
      <Button type="submit" fullWidth loading={logIn.isPending}>
        Login
      </Button>
      <Anchor component={Link} to={forgotPasswordPath} className={classes.link}>
        Forgot password?
      </Anchor>
    </form>
  )
}
