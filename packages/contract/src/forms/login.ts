import { z } from 'zod'
import { sessionMessages } from '#messages/session.ts'

/** Non-space text, @, non-space text, dot, non-space text. Spec §5. */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const emailAddress = z
  .string()
  .trim()
  .min(1, sessionMessages.emailRequired)
  .max(254, sessionMessages.emailInvalid)
  .regex(emailPattern, sessionMessages.emailInvalid)

export const loginForm = z.object({
  email: emailAddress,
  password: z.string().min(1, sessionMessages.passwordRequired),
})
export type LoginForm = z.infer<typeof loginForm>

export const forgotPasswordForm = z.object({ email: emailAddress })
export type ForgotPasswordForm = z.infer<typeof forgotPasswordForm>
