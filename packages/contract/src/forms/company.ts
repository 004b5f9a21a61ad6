import { z } from 'zod'
import { nameLimits } from '#limits.ts'
import { companyMessages } from '#messages/companies.ts'
import { optionalText, requiredText } from './text.ts'

/** One safe path segment, no device name of Windows. See docs/BEHAVIOUR.md#people-and-rights. */
const SAFE_SEGMENT = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?$/i

export const companyForm = z.object({
  name: requiredText(companyMessages.nameRequired, nameLimits.maxLength),
  containerName: z
    .string(companyMessages.storageFolderRequired)
    .trim()
    .min(1, { error: companyMessages.storageFolderRequired, abort: true })
    .max(nameLimits.maxStorageFolderLength, { error: companyMessages.storageFolderInvalid, abort: true })
    .regex(SAFE_SEGMENT, companyMessages.storageFolderInvalid),
  address: optionalText(nameLimits.maxTextLength),
})
export type CompanyForm = z.infer<typeof companyForm>
