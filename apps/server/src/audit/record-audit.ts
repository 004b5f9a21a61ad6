import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditDetail, AuditValue, AuditValues } from '@veridict/contract/model/audit-action'
import type { Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { bucketKey } from '#platform/admission/shared-buckets.ts'
import type { Caller } from '#platform/access/viewer.ts'
import {
  addAuditEntry,
  addHourlyAuditEntry,
  isHourlyEntryDue,
  type NewAuditEntry,
} from '#audit/audit-entries.ts'

/**
 * `subject`: to what it happened, as people know it. `companyId`: by default the caller's. `detail` has
 * neither secrets nor cell values: see `changes`.
 */
export type AuditRecord = {
  action: AuditAction
  subject: string
  detail?: AuditDetail
  actor?: Caller['actor']
  companyId?: number | null
}

/** Runs in the change's transaction, so that both commit or none. See docs/BEHAVIOUR.md#audit-trail. */
export const recordAudit = (record: AuditRecord, db: Db, { caller }: Pick<Deps, 'caller'>): Promise<void> =>
  addAuditEntry(db, entryOf(record, caller))

/** Adds an entry once an hour for each `key`. Await it: what cannot be recorded is not shown. */
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

/** The most characters of a value and items of a list in an entry, because people read it. */
const MAX_LENGTH = 1000
const MAX_ITEMS = 50

/** The values that differ. A long list is reduced to its items that differ; long values are cut. */
export function changes(before: AuditValues, after: AuditValues): AuditDetail {
  const changed = { before: {} as Record<string, AuditValue>, after: {} as Record<string, AuditValue> }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [earlier, later] = [before[name], after[name]]
    if (isDeepStrictEqual(earlier, later)) continue
    const [removed, added] = differingItems(earlier, later) ?? [earlier, later]
    if (removed !== undefined) changed.before[name] = shortened(removed)
    if (added !== undefined) changed.after[name] = shortened(added)
  }
  return changed
}

/** The values of a new thing that are not null; long values are cut. */
export const onlyAfter = (after: AuditValues): AuditDetail => ({ after: present(after) })

/** The values of a deleted thing that are not null; long values are cut. */
export const onlyBefore = (before: AuditValues): AuditDetail => ({ before: present(before) })

const present = (values: AuditValues): AuditValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, shortened(value)]])),
  )

/** Items that only one of two long lists has; null if one is short, or only the order differs. */
function differingItems(
  before: AuditValue | undefined,
  after: AuditValue | undefined,
): [string[], string[]] | null {
  if (!isLongList(before) || !isLongList(after)) return null
  const [earlier, later] = [new Set(before), new Set(after)]
  const removed = before.filter((item) => !later.has(item))
  const added = after.filter((item) => !earlier.has(item))
  return removed.length + added.length === 0 ? null : [removed, added]
}

const isLongList = (value: AuditValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.length > MAX_ITEMS

function shortened(value: AuditValue): AuditValue {
  if (typeof value === 'string') return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value
  if (typeof value !== 'object' || value === null) return value
  const first = value.slice(0, MAX_ITEMS).map((item) => shortened(item) as string)
  return value.length > MAX_ITEMS ? [...first, '…'] : first
}
