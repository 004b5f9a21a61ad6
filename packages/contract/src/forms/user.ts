import { z } from 'zod'
import { nameLimits } from '#limits.ts'
import { emailPattern } from './login.ts'
import { userMessages } from '#messages/users.ts'

const LINE = /^[^\p{Cc}]*$/u

/** Name, e-mail and phone of a company user or an administrator. Spec §5. */
export const userForm = z.object({
  name: z
    .string(userMessages.nameRequired)
    .trim()
    .min(1, userMessages.nameRequired)
    .max(nameLimits.maxLength)
    .regex(LINE, userMessages.nameRequired),
  email: z
    .string(userMessages.emailRequired)
    .trim()
    .min(1, userMessages.emailRequired)
    .max(nameLimits.maxLength, userMessages.emailInvalid)
    .regex(LINE, userMessages.emailInvalid)
    .regex(emailPattern, userMessages.emailInvalid),
  phone: z
    .string()
    .trim()
    .max(nameLimits.maxLength)
    .regex(/^(?:\+?\d+)?$/, userMessages.phoneInvalid)
    .nullish()
    .transform((phone) => phone ?? ''),
})
export type UserForm = z.infer<typeof userForm>
