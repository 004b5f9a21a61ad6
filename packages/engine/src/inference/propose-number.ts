import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'

/** The digits that a spreadsheet and a double hold exactly. */
const MAX_DIGITS = 15
/** So many digits after a '+' are a phone number. */
const PHONE_DIGITS = 7

/** Number, if every value is one and none is a code. No bounds: a sample does not show what is too much. */
export function proposeNumber(profile: ColumnProfile): ProposedRule | null {
  if (!profile.isAll('number') || codeReason(profile) !== null) return null
  const { texts, digits } = profile
  const example = profile.first('number').text
  const scale = digits.decimals
  const reason = scale === 0 ? reasons.wholeNumbers(texts, example) : reasons.decimals(texts, example, scale)
  return { rule: { type: 'number', scale }, reason }
}

/**
 * Why digits are codes and not numbers: leading zeros, a leading '+' or some of many digits would be lost.
 * null if they are numbers.
 */
export function codeReason({ digits }: ColumnProfile): string | null {
  if (digits.withLeadingZero !== null) return reasons.leadingZeros(digits.withLeadingZero)
  if (digits.most > MAX_DIGITS) return reasons.longNumbers(digits.most, digits.longest)
  return digits.mostAfterPlus >= PHONE_DIGITS ? reasons.phoneNumbers(digits.withPlus) : null
}
