import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { sessionMessages } from '@veridict/contract/messages/session'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#app/paths.ts'
import classes from '#features/session/entry-form.module.css'
import { EntryFailure, EntryFrame, PasswordField } from '#features/session/entry-frame.tsx'
import { useEntryForm } from '#features/session/use-entry-form.ts'
import { confirm, type Question } from '#lib/forms/confirm.ts'
import { fieldErrorsOf, messageOf } from '#lib/http/call-failure.ts'
import { endSession } from '#lib/session/tab-channel.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { TextLink } from '#ui/forms/action-button.tsx'

const activeSession: Question = {
  title: dialogMessages.activeSessionTitle,
  text: dialogMessages.activeSessionText,
  confirmLabel: 'Continue',
}

/** Why the server refused the password itself: it is easy to guess. */
const passwordFaultOf = (failure: unknown): string | null => fieldErrorsOf(failure).newPassword?.[0] ?? null

/**
 * Asks first if this browser has a session, because setting a password ends all. Only sending the form shows
 * that a link was used or has expired. See docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export function SetPassword() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  // From the e-mailed link; null if the address lacks it.
  const [email, token] = [query.get('email'), query.get('token')]
  const isComplete = email !== null && email !== '' && token !== null && token !== ''
  const entry = useEntryForm({
    initialValues: { password: '', confirmPassword: '' },
    schema: ({ setPasswordForm }) => setPasswordForm,
    send: async ({ sendPassword }, { password }) => {
      if (!isComplete) return
      if (tokenStore.read() !== null && !(await confirm(activeSession))) return
      await sendPassword({ email, token, newPassword: password })
      endSession()
      void navigate(paths.login)
    },
    errorsOf: ({ error }) => ({ password: passwordFaultOf(error) }),
  })
  const { form, failure } = entry
  const isSpent = messageOf(failure?.error) === sessionMessages.spentResetLink
  const isLinkAtFault = !isComplete || isSpent
  const refusal = failure === null || passwordFaultOf(failure.error) !== null ? null : failure.text
  const fault = isComplete ? refusal : sessionMessages.invalidResetLink
  return (
    <EntryFrame
      tabTitle="Set password"
      title="Choose your password"
      text={email && `For ${email}`}
      entry={entry}
      submitLabel="Set password"
      isDisabled={!isComplete}
      foot={<TextLink label="Back to login" to={paths.login} className={classes.link} />}
    >
      {fault !== null && (
        <EntryFailure message={fault}>
          {isLinkAtFault && (
            <TextLink label={sessionMessages.askForLink} to={paths.forgotPassword} inherit fw={600} />
          )}
        </EntryFailure>
      )}
      {/* Tells password managers whose password it is. */}
      <input type="email" autoComplete="username" value={email ?? ''} readOnly hidden />
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
    </EntryFrame>
  )
}
