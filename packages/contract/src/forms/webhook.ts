import { z } from 'zod'
import { webhookLimits } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { webhookMessages } from '#messages/webhooks.ts'

/** Refuses control characters and spaces, because the address is used exactly as it was checked. */
const PRINTABLE = /^[^\s\p{Cc}\p{Cs}]+$/u

const isHttp = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')
const hasCredentials = (url: string): boolean => {
  const { username, password } = new URL(url)
  return username + password !== ''
}

/** null: no webhook. The server decides on `http:` and private networks. See docs/BEHAVIOUR.md#webhook. */
export const webhookForm = z.object({
  url: z
    .string(webhookMessages.urlInvalid)
    .trim()
    .max(webhookLimits.maxUrlLength, {
      error: noticeMessages.tooLong(webhookLimits.maxUrlLength),
      abort: true,
    })
    .regex(PRINTABLE, { error: webhookMessages.urlInvalid, abort: true })
    .refine(isHttp, { error: webhookMessages.urlInvalid, abort: true })
    .refine((url) => !hasCredentials(url), webhookMessages.credentials)
    .nullable(),
})
