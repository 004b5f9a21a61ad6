import type { AuditAction, AuditDetail } from '@veridict/contract/model/audit-action'
import type { Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { bucketKey } from '#platform/admission/shared-buckets.ts'
import type { Caller } from '#platform/access/caller.ts'
import {
  addAuditEntry,
  addHourlyAuditEntry,
  isHourlyEntryDue,
  type NewAuditEntry,
} from '#audit/audit-entries.ts'

/**
 * What happened. `subject` names what it happened to, as people know it; `companyId` is the company
 * concerned, by default the caller's. `detail` has neither secrets nor values of cells; `changes` makes it.
 */
export type AuditRecord = {
  action: AuditAction
  subject: string
  detail?: AuditDetail
  actor?: Caller['actor']
  companyId?: number | null
}

/**
 * Adds an entry to the audit trail: in the transaction of the change, where there is one, so that neither is
 * without the other. See docs/BEHAVIOUR.md#audit-trail.
 */
export const recordAudit = (record: AuditRecord, db: Db, { caller }: Pick<Deps, 'caller'>): Promise<void> =>
  addAuditEntry(db, entryOf(record, caller))

/**
 * Adds an entry about what the caller looks at, once an hour for each `key`. To be awaited before it is
 * shown: what cannot be recorded is not shown.
 */
export async function recordView(
  record: AuditRecord & { key: string },
  { db, caller }: Pick<Deps, 'db' | 'caller'>,
): Promise<void> {
  const reader = caller.actor === null ? `token ${caller.companyId} ${caller.token}` : caller.actor.id
  const key = bucketKey(record.action, `${reader} ${record.key}`)
  if (!(await isHourlyEntryDue(db, key))) return
  await inTransaction(db, (trx) => addHourlyAuditEntry(trx, entryOf(record, caller), key))
}

const entryOf = (
  { action, subject, detail = {}, actor, companyId }: AuditRecord,
  caller: Caller,
): NewAuditEntry => ({
  action,
  subject,
  detail: caller.token === undefined ? detail : withToken(detail, caller.token),
  actor: actor === undefined ? caller.actor : actor,
  companyId: companyId === undefined ? caller.companyId : companyId,
  address: caller.address,
})

/** A token is not a person, and so no actor. */
const withToken = (detail: AuditDetail, token: string): AuditDetail => ({
  ...detail,
  after: { ...detail.after, token },
})
