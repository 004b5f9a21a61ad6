import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { messageReply, timestamp } from './envelope.ts'
import { pageOf, pagingQuery } from './paging.ts'
import { id } from './whole-number.ts'

export const readCounts = endpoint(
  'GET /api/Admin/counts',
  'superAdmin',
  'How many dictionaries and companies there are, and which protections of the database do not hold',
  {
    reply: z.object({
      totalDataDictionaries: z.int(),
      totalCompanies: z.int(),
      degraded: z.array(z.string()),
    }),
  },
)

export const mailItem = z.object({
  id: z.int(),
  recipient: z.string(),
  subject: z.string(),
  createdAt: timestamp,
  attempts: z.int(),
  /** The last reply of the mail server. */
  lastError: z.string().nullable(),
  /** When sending was stopped; null while the e-mail waits. */
  parkedAt: timestamp.nullable(),
})
export type MailItem = z.infer<typeof mailItem>

export const listMails = endpoint(
  'GET /api/Admin/Mail',
  'superAdmin',
  'E-mails that were not sent: all, those given up (Parked=true), or those that wait (Parked=false)',
  {
    query: pagingQuery.extend({ Parked: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional() }),
    reply: pageOf(mailItem),
  },
)

export const sendMailAgain = endpoint(
  'POST /api/Admin/Mail/:id/Send',
  'superAdmin',
  'Send an e-mail that was not sent, now',
  { reply: messageReply },
)

export const retryStorage = endpoint(
  'POST /api/Admin/Operation/RetryStorage',
  'superAdmin',
  'Store the files with a storage error again, of all companies or of one',
  { body: z.object({ companyId: id.optional() }), reply: z.object({ retried: z.int() }) },
)
