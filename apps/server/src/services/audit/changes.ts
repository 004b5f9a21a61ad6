import { isDeepStrictEqual } from 'node:util'
import type { AuditDetail, AuditValue, AuditValues } from '@veridict/contract/model/audit-action'

/** In characters, and in items of a list: an entry is read by people. */
const MAX_LENGTH = 1000
const MAX_ITEMS = 50

/** Before → after, of what differs only; long values are cut. */
export function changes(before: AuditValues, after: AuditValues): AuditDetail {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  return { before: pick(before, changed), after: pick(after, changed) }
}

/** All of what is new; long values are cut. */
export const created = (after: AuditValues): AuditDetail => ({ after: pick(after, Object.keys(after)) })

/** All of what was deleted; long values are cut. */
export const deleted = (before: AuditValues): AuditDetail => ({ before: pick(before, Object.keys(before)) })

const pick = (values: AuditValues, names: readonly string[]): AuditValues =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [[name, shortened(value)]]
    }),
  )

function shortened(value: AuditValue): AuditValue {
  if (typeof value === 'string') return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value
  if (typeof value !== 'object' || value === null) return value
  const first = value.slice(0, MAX_ITEMS).map((item) => shortened(item) as string)
  return value.length > MAX_ITEMS ? [...first, '…'] : first
}
