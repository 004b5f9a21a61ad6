import { Alert, Anchor } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { setPasswordForm, type SetPasswordForm as Values } from '@veridict/contract/forms/password'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Link } from 'react-router'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { endSession } from '#lib/session/end-session.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { useSetPassword } from './api.ts'
import classes from './entry-form.module.css'
import { PasswordField } from './password-field.tsx'

const activeSession: Question = {
  title: dialogMessages.activeSessionTitle,
  text: dialogMessages.activeSessionText,
  confirmLabel: 'Continue',
}

export type SetPasswordFormProps = {
  /** From the e-mailed link; null if the address lacks it. */
  email: string | null
  token: string | null
  loginPath: string
  forgotPasswordPath: string
  onDone: () => void
}

/**
 * A new password, twice. Asks first if this browser has a session, because setting a password ends all
 * sessions. The inputs are disabled if the link is incomplete. See docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export function SetPasswordForm({
  email,
  token,
  loginPath,
  forgotPasswordPath,
  onDone,
}: SetPasswordFormProps) {
  const setPassword = useSetPassword()
  const isComplete = email !== null && email !== '' && token !== null && token !== ''
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '' },
    validate: schemaResolver(setPasswordForm, { sync: true }),
  })
  const submit = async ({ password }: Values) => {
    if (!isComplete) return
    if (tokenStore.read() !== null && !(await confirm(activeSession))) return
    setPassword.mutate({ email, token, newPassword: password }, { onSuccess: () => (endSession(), onDone()) })
  }
  return (
    <FormWithErrorFocus
      isBusy={setPassword.isPending}
      className={classes.form}
      onSubmit={form.onSubmit((values) => void submit(values))}
    >
      {!isComplete && (
        <Alert color="brand">
          <p className={classes.fault}>{sessionMessages.invalidResetLink}</p>
          <Anchor component={Link} to={forgotPasswordPath} inherit fw={600}>
            Ask for a new link
          </Anchor>
        </Alert>
      )}
      <PasswordField
        label="Password"
        disabled={!isComplete}
        description="At least 8 characters, with uppercase, lowercase, number and special character"
        autoComplete="new-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label="Confirm Password"
        disabled={!isComplete}
        autoComplete="new-password"
        key={form.key('confirmPassword')}
        {...form.getInputProps('confirmPassword')}
      />
      <SubmitButton fullWidth disabled={!isComplete} isBusy={setPassword.isPending}>
        Set password
      </SubmitButton>
      <Anchor component={Link} to={loginPath} className={classes.link}>
        Back to login
      </Anchor>
    </FormWithErrorFocus>
  )
}
