import { isDeepStrictEqual } from 'node:util'
import type { AuditDetail, AuditValue, AuditValues } from '@veridict/contract/model/audit-action'

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
