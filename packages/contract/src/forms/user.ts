import { z } from 'zod'
import { nameLimits } from '#limits.ts'
import { emailPattern, plainEmail } from './login.ts'
import { filledText } from './text.ts'
import { userMessages } from '#messages/users.ts'

/** No control characters, so no line breaks. */
const LINE = /^[^\p{Cc}]*$/u

/**
 * RFC 5322 without quoted names and domain literals, with letters of all languages (RFC 6531). Who already
 * has another address can still log in with it.
 */
export const addressPattern =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]+$/u

const email = z
  .string(userMessages.emailRequired)
  .trim()
  .overwrite(plainEmail)
  .min(1, { error: userMessages.emailRequired, abort: true })
  .max(nameLimits.maxLength, { error: userMessages.emailInvalid, abort: true })
  .regex(LINE, { error: userMessages.emailInvalid, abort: true })

/** Of a company user or administrator who exists. See docs/BEHAVIOUR.md#people-and-rights. */
export const userForm = z.object({
  name: filledText(userMessages.nameRequired, nameLimits.maxLength).regex(LINE, userMessages.nameRequired),
  email: email.regex(emailPattern, userMessages.emailInvalid),
  phone: z
    .string()
    .trim()
    .max(nameLimits.maxLength)
    .regex(/^(?:\+?\d+)?$/, userMessages.phoneInvalid)
    .nullish()
    .transform((phone) => phone ?? ''),
})
export type UserForm = z.infer<typeof userForm>

export const newUserForm = userForm.extend({ email: email.regex(addressPattern, userMessages.emailInvalid) })
