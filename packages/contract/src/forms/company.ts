import { z } from 'zod'
import { nameLimits } from '#limits.ts'
import { companyMessages } from '#messages/companies.ts'
import { noticeMessages } from '#messages/notices.ts'
import { isStorable } from '#notation/storable-text.ts'

/**
 * One safe path segment: no separators, no leading dot, none of the names that Windows keeps for devices.
 * See docs/BEHAVIOUR.md#people-and-rights.
 */
const SAFE_SEGMENT = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/i

export const companyForm = z.object({
  name: z
    .string(companyMessages.nameRequired)
    .trim()
    .min(1, companyMessages.nameRequired)
    .max(nameLimits.maxLength, noticeMessages.tooLong(nameLimits.maxLength))
    .refine(isStorable, noticeMessages.invalidValue),
  containerName: z
    .string(companyMessages.storageFolderRequired)
    .trim()
    .min(1, { error: companyMessages.storageFolderRequired, abort: true })
    .max(nameLimits.maxStorageFolderLength, { error: companyMessages.storageFolderInvalid, abort: true })
    .regex(SAFE_SEGMENT, companyMessages.storageFolderInvalid),
  address: z
    .string()
    .trim()
    .max(nameLimits.maxTextLength, noticeMessages.tooLong(nameLimits.maxTextLength))
    .refine(isStorable, noticeMessages.invalidValue)
    .nullish()
    .transform((address) => address ?? ''),
})
export type CompanyForm = z.infer<typeof companyForm>
