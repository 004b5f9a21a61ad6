import { dictionaryLimits } from '@veridict/contract/limits'
import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { TextRule } from '@veridict/contract/model/rule'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'
import type { ValueShape } from '#inference/value-shape.ts'
import { codeReason } from '#inference/propose-number.ts'

/** With fewer values, no lengths are proposed. */
const MIN_VALUES_FOR_LENGTH = 20
/** The proposed maximum, as a multiple of the longest value. */
const HEADROOM = 1.5
/** Bounds as people choose them. */
const ROUND_LENGTHS = [10, 20, 50, 100, 200, dictionaryLimits.maxTextLengthBound]
/** The longest value quoted in a reason, in characters. */
const MAX_QUOTED = 40
/** From this share on, the values of another shape are more likely mistakes than the rule. */
const NEARLY_ALL = 0.8

/** Text accepts every value. The reason says why no narrower rule fits. Only texts and codes get lengths. */
export function proposeText(profile: ColumnProfile): ProposedRule {
  const { texts, days, errors } = profile
  if (texts + days === 0)
    return { rule: { type: 'text' }, reason: errors > 0 ? reasons.onlyErrors(errors) : reasons.blank }
  const code = profile.isAll('number') ? codeReason(profile) : null
  const reason = code === null ? (untyped(profile) ?? nearly(profile)) : null
  if (reason !== null) return { rule: { type: 'text' }, reason }
  const rule = lengthsOf(profile)
  return { rule, reason: code ?? describe(rule, profile) }
}

/** The exact length of codes if it is always the same, else a round maximum, else nothing. */
function lengthsOf({ texts, days, shortest, longest, options }: ColumnProfile): TextRule {
  if (texts + days < MIN_VALUES_FOR_LENGTH) return { type: 'text' }
  const isConstant = options?.size === 1
  if (shortest === longest && !isConstant && longest <= dictionaryLimits.maxTextLengthBound) {
    return { type: 'text', minLength: longest, maxLength: longest }
  }
  const maxLength = ROUND_LENGTHS.find((length) => length >= longest * HEADROOM)
  return maxLength === undefined ? { type: 'text' } : { type: 'text', maxLength }
}

/** What the values are, if all have a shape that has no type. */
function untyped(profile: ColumnProfile): string | null {
  if (profile.isAll('number', 'decimalComma')) return reasons.decimalComma(profile.first('decimalComma').text)
  if (profile.clash !== null && profile.count('date') === profile.texts)
    return reasons.mixedDates(...profile.clash)
  if (profile.isAll('percentage')) return reasons.percentages(profile.first('percentage').text)
  if (profile.isAll('time')) return reasons.times(profile.first('time').text)
  if (profile.count('dateWithTime') > 0 && profile.isAll('dateWithTime', 'date')) {
    return reasons.datesWithTime(profile.first('dateWithTime').text)
  }
  if (profile.count('amount') > 0 && profile.isAll('amount', 'number', 'decimalComma'))
    return reasons.amounts(profile.first('amount').text)
  return null
}

/** All but a few values have a type: the reason names the exceptions. */
function nearly(profile: ColumnProfile): string | null {
  const { texts, days } = profile
  const values = texts + days
  const numbers = profile.count('number')
  const dates = profile.count('date') + days
  const mention = (
    sentence: typeof reasons.nearlyNumbers,
    count: number,
    shape: ValueShape,
  ): string | null => {
    const other = profile.firstOther(shape)
    return other === undefined ? null : sentence(count, values - count, quotable(other.text), other.rowNumber)
  }
  if (numbers >= values * NEARLY_ALL && codeReason(profile) === null)
    return mention(reasons.nearlyNumbers, numbers, 'number')
  return dates >= values * NEARLY_ALL ? mention(reasons.nearlyDates, dates, 'date') : null
}

function describe({ minLength, maxLength }: TextRule, profile: ColumnProfile): string {
  const { texts, days, shortest, longest } = profile
  if (minLength === undefined || minLength !== maxLength) return reasons.text(shortest, longest)
  return reasons.fixedLength(texts + days, longest, quotable(profile.firstOther()?.text ?? ''))
}

const quotable = (text: string): string => (text.length > MAX_QUOTED ? text.slice(0, MAX_QUOTED) + '…' : text)
