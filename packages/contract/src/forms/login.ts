import { z } from 'zod'
import { sessionMessages } from '#messages/session.ts'

/** Non-space text, @, non-space text, dot, non-space text. See docs/BEHAVIOUR.md#limits. */
export const emailPattern = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/

/** NFC, without the angle brackets that mail programs copy: one mailbox must not have two accounts. */
export const plainEmail = (text: string): string => text.normalize('NFC').replace(/^<(.*)>$/s, '$1')

export const emailAddress = z
  .string(sessionMessages.emailRequired)
  .trim()
  .overwrite(plainEmail)
  .min(1, { error: sessionMessages.emailRequired, abort: true })
  .max(254, { error: sessionMessages.emailInvalid, abort: true })
  .regex(emailPattern, sessionMessages.emailInvalid)

export const loginForm = z.object({
  email: emailAddress,
  password: z
    .string(sessionMessages.passwordRequired)
    .min(1, sessionMessages.passwordRequired)
    .max(4096, sessionMessages.passwordTooLong),
})
export type LoginForm = z.infer<typeof loginForm>

export const forgotPasswordForm = z.object({ email: emailAddress })
export type ForgotPasswordForm = z.infer<typeof forgotPasswordForm>
