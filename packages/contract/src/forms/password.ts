import { z } from 'zod'
import { passwordLimits } from '#limits.ts'
import { sessionMessages } from '#messages/session.ts'

/** At least 8 characters with a lowercase letter, an uppercase letter, a digit and a special character. */
export const newPassword = z
  .string(sessionMessages.passwordWeak)
  .max(passwordLimits.maxLength, sessionMessages.passwordTooLong)
  .refine(
    (text) =>
      [...text].length >= passwordLimits.minLength &&
      /\p{Ll}/u.test(text) &&
      /\p{Lu}/u.test(text) &&
      /\p{Nd}/u.test(text) &&
      /[^\p{L}\p{N}\s]/u.test(text),
    sessionMessages.passwordWeak,
  )

export const setPasswordForm = z
  .object({ password: newPassword, confirmPassword: z.string() })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: sessionMessages.passwordsDiffer,
  })
