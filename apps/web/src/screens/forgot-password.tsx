import { sessionMessages } from '@veridict/contract/messages/session'
import { paths } from '#app/paths.ts'
import { EntryFrame } from '#features/session/entry-frame.tsx'
import { ForgotPasswordForm } from '#features/session/forgot-password-form.tsx'

export function ForgotPassword() {
  return (
    <EntryFrame
      tabTitle={sessionMessages.forgotTitle}
      title={sessionMessages.forgotTitle}
      text={sessionMessages.forgotText}
    >
      <ForgotPasswordForm loginPath={paths.login} />
    </EntryFrame>
  )
}
