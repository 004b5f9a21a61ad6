import { Anchor } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { setPasswordForm, type SetPasswordForm as Values } from '@veridict/contract/forms/password'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Link } from 'react-router'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { fieldErrorsOf, messageOf } from '#lib/http/call-failure.ts'
import { textOfFailure } from '#lib/http/error-notice.ts'
import { endSession } from '#lib/session/end-session.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { FormWithErrorFocus } from '#ui/forms/form-with-error-focus.tsx'
import { SubmitButton } from '#ui/forms/submit-button.tsx'
import { useSetPassword } from './api.ts'
import { EntryFailure } from './entry-failure.tsx'
import classes from './entry-form.module.css'
import { PasswordField } from './password-field.tsx'

const activeSession: Question = {
  title: dialogMessages.activeSessionTitle,
  text: dialogMessages.activeSessionText,
  confirmLabel: 'Continue',
}

/** Why the server refused the password itself: it is easy to guess. */
const passwordFaultOf = (failure: unknown): string | null => fieldErrorsOf(failure).newPassword?.[0] ?? null

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
 * sessions. The inputs are disabled if the link is incomplete. A link that was used or expired is known only
 * after the form was sent. See docs/BEHAVIOUR.md#sessions-and-passwords.
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
    setPassword.mutate(
      { email, token, newPassword: password },
      { onSuccess: () => (endSession(), onDone()), onError: showAtPassword },
    )
  }
  const showAtPassword = (failure: unknown) => form.setFieldError('password', passwordFaultOf(failure))
  const { error } = setPassword
  const isSpent = messageOf(error) === sessionMessages.spentResetLink
  const isLinkAtFault = !isComplete || isSpent
  const refusal = error === null || passwordFaultOf(error) !== null ? null : textOfFailure(error)
  const fault = isComplete ? refusal : sessionMessages.invalidResetLink
  return (
    <FormWithErrorFocus
      isBusy={setPassword.isPending}
      className={classes.form}
      onSubmit={form.onSubmit((values) => void submit(values))}
    >
      {fault !== null && (
        <EntryFailure message={fault}>
          {isLinkAtFault && (
            <Anchor component={Link} to={forgotPasswordPath} inherit fw={600}>
              {sessionMessages.askForLink}
            </Anchor>
          )}
        </EntryFailure>
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
