import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'
import { hasSwappedFormat, unitOrder } from '#inference/date-candidates.ts'

/** True dates do not show how dates are written; this format cannot be misread. */
const UNAMBIGUOUS = 'yyyy-MM-dd'

/** Date, if every value is one and a single format fits them all. */
export function proposeDate(profile: ColumnProfile): ProposedRule | null {
  const { texts, days } = profile
  if (texts === 0)
    return days === 0
      ? null
      : { rule: { type: 'date', format: UNAMBIGUOUS }, reason: reasons.trueDates(days) }
  const [format, ...others] = profile.dateFormats
  if (format === undefined) return null
  const sentences = [reasons.dates(texts + days, profile.first('date').text), ...evidence(format, others)]
  if (days > 0) sentences.push(reasons.someTrueDates(days))
  return { rule: { type: 'date', format }, reason: sentences.join(' ') }
}

/** Why this order of day, month and year; empty if no other order is possible. */
function evidence(format: string, others: readonly string[]): string[] {
  const order = unitOrder(format)
  const rivals = new Map(others.toReversed().map((other) => [unitOrder(other), other]))
  rivals.delete(order)
  if (rivals.size > 0) return [reasons.ambiguous(format, [...rivals.values()])]
  if (!hasSwappedFormat(format)) return []
  return [order === 'dMy' ? reasons.dayFirst : reasons.monthFirst]
}
