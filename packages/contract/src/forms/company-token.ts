import { z } from 'zod'
import { companyTokenLimits, nameLimits } from '#limits.ts'
import { companyTokenMessages } from '#messages/company-tokens.ts'
import { noticeMessages } from '#messages/notices.ts'
import { tokenScopes } from '#model/token-scope.ts'
import { filledText } from './text.ts'

/** No control characters: the name stands in the history and in exported files. */
const LINE = /^[^\p{Cc}\p{Cs}]*$/u

const daysInvalid = companyTokenMessages.daysInvalid(companyTokenLimits.maxDays)

/** A new token of a company. See docs/BEHAVIOUR.md#tokens. */
export const companyTokenForm = z.object({
  name: filledText(companyTokenMessages.nameRequired, nameLimits.maxLength)
    .regex(LINE, noticeMessages.invalidValue)
    // Also full-width, which looks the same.
    .regex(/^[^@＠﹫]*$/, companyTokenMessages.nameLikeEmail),
  expiresInDays: z.int(daysInvalid).min(1, daysInvalid).max(companyTokenLimits.maxDays, daysInvalid),
  scope: z.enum(tokenScopes, noticeMessages.invalidValue).default('both'),
})
