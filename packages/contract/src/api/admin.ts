import { z } from 'zod'
import { optionalText } from '#forms/text.ts'
import { maintenanceLimits } from '#limits.ts'
import { operationMessages } from '#messages/operation.ts'
import { mailMessages } from '#messages/mails.ts'
import { endpoint, messageReply, timestamp, pageOf, pagingQuery, id } from './endpoint.ts'

const rejectedFiles = z.object({
  companyId: z.int(),
  companyName: z.string(),
  rejected: z.int(),
  uploaded: z.int(),
})
export type RejectedFiles = z.infer<typeof rejectedFiles>

export const readCounts = endpoint(
  'GET /api/Admin/counts',
  'superAdmin',
  'How many dictionaries and companies there are, and the companies with the most rejected files of 7 days',
  {
    reply: z.object({
      totalDataDictionaries: z.int(),
      totalCompanies: z.int(),
      rejected: z.array(rejectedFiles),
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
  { reply: messageReply, says: mailMessages.sentAgain },
)

const undelivered = z.object({ waiting: z.int(), parked: z.int() })

/** Nothing here is from a file: an operator need not see what companies send. */
export const operation = z.object({
  /** The moment of what follows, by the clock of the database, as all times here: others may be wrong. */
  at: timestamp,
  version: z.string(),
  /** The last migration of this version. */
  schema: z.string(),
  /** Migrations of a newer version, with which this one works. */
  ahead: z.array(z.object({ name: z.string(), version: z.string().nullable(), at: timestamp })),
  /** Migrations that wait for `veridict migrate --finish`. */
  unfinished: z.array(z.string()),
  /** Programs that run, on all machines; one that is silent is seen long ago. */
  servers: z.array(
    z.object({
      id: z.string(),
      role: z.string(),
      version: z.string(),
      seenAt: timestamp,
      isSilent: z.boolean(),
    }),
  ),
  /** What `GET /api/ready` finds: parts that fail, protections that do not hold, programs that take jobs. */
  failing: z.array(z.string()),
  degraded: z.array(z.string()),
  workers: z.int(),
  /** Files that wait for a worker, without those of paused companies. */
  waiting: z.int(),
  oldestWaitingSeconds: z.number(),
  failedStorage: z.int(),
  mails: undelivered,
  /** Messages; those given up are of the last month. */
  webhooks: undelivered,
  /** null where the storage has no limit, or is not available. */
  storageFreeBytes: z.number().nullable(),
  isStorageLow: z.boolean(),
  /** Of the last complete backup; null before the first. */
  backupAt: timestamp.nullable(),
  /** The sentence of maintenance mode; null while it is off. */
  maintenance: z.string().nullable(),
  paused: z.array(z.object({ id: z.int(), name: z.string(), pausedAt: timestamp, waiting: z.int() })),
  lastRuns: z.array(z.object({ job: z.string(), at: timestamp })),
})
export type Operation = z.infer<typeof operation>

export const readOperation = endpoint(
  'GET /api/Admin/Operation',
  'superAdmin',
  'How the portal works: its programs, what waits, what failed, storage, backups and protections',
  { reply: operation },
)

export const setMaintenance = endpoint(
  'POST /api/Admin/Operation/Maintenance',
  'superAdmin',
  'Refuse all uploads with a sentence, or accept them again; everything else goes on',
  {
    body: z
      .object({ on: z.boolean(), message: optionalText(maintenanceLimits.maxMessageLength) })
      .refine(({ on, message }) => !on || message !== '', {
        path: ['message'],
        message: operationMessages.messageRequired,
      }),
    reply: messageReply,
  },
)

export const retryStorage = endpoint(
  'POST /api/Admin/Operation/RetryStorage',
  'superAdmin',
  'Store the files with a storage error again, of all companies or of one',
  { body: z.object({ companyId: id.optional() }), reply: z.object({ retried: z.int() }) },
)
