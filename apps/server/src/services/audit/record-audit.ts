import type { AuditAction, AuditDetail } from '@veridict/contract/model/audit-action'
import type { Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import type { Caller } from '#policies/caller.ts'
import { addAuditEntry } from '#repositories/audit-entries.ts'

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
export async function recordAudit(
  { action, subject, detail = {}, actor, companyId }: AuditRecord,
  db: Kysely<Database>,
  { caller }: Pick<Deps, 'caller'>,
): Promise<void> {
  await addAuditEntry(db, {
    action,
    subject,
    detail: caller.token === undefined ? detail : withToken(detail, caller.token),
    actor: actor === undefined ? caller.actor : actor,
    companyId: companyId === undefined ? caller.companyId : companyId,
    address: caller.address,
  })
}

/** A token is not a person, and so no actor. */
const withToken = (detail: AuditDetail, token: string): AuditDetail => ({
  ...detail,
  after: { ...detail.after, token },
})
