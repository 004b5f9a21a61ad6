import { z } from 'zod'
import { auditActions } from '#model/audit-action.ts'
import { endpoint, timestamp, boundedPageOf, pagingQuery, id, repeated } from './endpoint.ts'

const auditValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])
const auditValues = z.record(z.string(), auditValue)

export const auditEntryItem = z.object({
  id: z.int(),
  at: timestamp,
  /** null for the portal itself, and for a person who is not logged in. */
  actor: z.object({ id: z.int(), email: z.string() }).nullable(),
  action: z.enum(auditActions),
  /** The name of the thing that was changed; for a failed login, the e-mail address that was tried. */
  subject: z.string(),
  company: z.object({ id: z.int(), name: z.string() }).nullable(),
  address: z.string().nullable(),
  /** For a change, only the values that differ. */
  detail: z.object({ before: auditValues.optional(), after: auditValues.optional() }),
})
export type AuditEntryItem = z.infer<typeof auditEntryItem>

/** A moment, or a day in UTC. */
const momentOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

const filter = {
  From: momentOrDay.optional(),
  /** A day is included as a whole. */
  To: momentOrDay.optional(),
  Action: repeated(z.enum(auditActions)),
  /** The id of the person who acted. */
  UserId: id.optional(),
  CompanyId: id.optional(),
}

export const listAuditEntries = endpoint(
  'GET /api/AuditTrail',
  'superAdmin',
  'Who did what, when and from where, newest first',
  { query: pagingQuery.extend(filter), reply: boundedPageOf(auditEntryItem) },
)

export const exportAuditEntries = endpoint(
  'GET /api/AuditTrail/Export',
  'superAdmin',
  'The audit trail as CSV, newest first',
  { query: pagingQuery.pick({ SearchText: true }).extend(filter), download: true },
)
