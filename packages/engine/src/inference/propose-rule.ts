import { dictionaryLimits } from '@veridict/contract/limits'
import { inferenceReasons as reasons } from '@veridict/contract/messages/inference'
import type { Field } from '@veridict/contract/model/field'
import { checkDigitNames, type TextRule } from '@veridict/contract/model/rule'
import type { ColumnProfile, ProposedRule } from '#inference/column-profile.ts'
import { hasSwappedFormat, unitOrder } from '#inference/date-candidates.ts'
import words from '#inference/identifier-words.json' with { type: 'json' }
import type { ValueShape } from '#inference/value-shape.ts'

/** The narrowest rule that the values prove; a text if they prove none. `name` is that of the field. */
export const proposeRule = (profile: ColumnProfile, name: string): ProposedRule =>
  proposeCheckDigit(profile, name) ??
  proposeDate(profile) ??
  proposeNumber(profile) ??
  proposeList(profile, name) ??
  proposeText(profile)

/** With fewer values, no lengths, forms, check digits and keys are proposed. */
const MIN_VALUES = 20
/** The proposed maximum, as a multiple of the longest value. */
const HEADROOM = 1.5
/** Bounds as people choose them. */
const ROUND_LENGTHS = [10, 20, 50, 100, 200, dictionaryLimits.maxTextLengthBound]
/** The longest value quoted in a reason, in characters. */
const MAX_QUOTED = 40
/** From this share on, the values of another shape are more likely mistakes than the rule. */
const NEARLY_ALL = 0.8

/** Text accepts every value. The reason says why no narrower rule fits. Only texts and codes get lengths. */
function proposeText(profile: ColumnProfile): ProposedRule {
  const { texts, days, errors } = profile
  if (texts + days === 0)
    return { rule: { type: 'text' }, reason: errors > 0 ? reasons.onlyErrors(errors) : reasons.blank }
  const code = profile.isAll('number') ? codeReason(profile) : null
  const reason = code === null ? (untyped(profile) ?? nearly(profile)) : null
  if (reason !== null) return { rule: { type: 'text' }, reason }
  const { form } = profile
  if (form !== null && /[A-Za-z]/.test(form) && texts >= MIN_VALUES && profile.options?.size !== 1)
    return { rule: { type: 'pattern', pattern: form }, reason: reasons.form(texts, exampleOf(profile)) }
  const rule = lengthsOf(profile)
  return { rule, reason: code ?? describe(rule, profile) }
}

const exampleOf = (profile: ColumnProfile): string => quotable(profile.firstOther()?.text ?? '')

/** With fewer different values, a check digit that no name says may fit by chance: one in ten does. */
const MIN_DIFFERENT_CODES = 5

/** A text, if all values have a check digit that fits. A scheme that the name says counts first. */
function proposeCheckDigit(profile: ColumnProfile, name: string): ProposedRule | null {
  const { schemes, texts, days, options } = profile
  const named = schemes.find((scheme) => wordsOf(name).includes(scheme))
  const isChance = named === undefined && options !== null && options.size < MIN_DIFFERENT_CODES
  if (schemes.length === 0 || days > 0 || isChance) return null
  const checkDigit = named ?? schemes[0]
  const isEnough = texts >= MIN_VALUES
  const reason = reasons.checkDigit(texts, checkDigitNames[checkDigit], exampleOf(profile), isEnough)
  return { rule: { ...lengthsOf(profile), ...(isEnough && { checkDigit }) }, reason }
}

/** The words of a name, also of one like `claimId`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
const hasWord = (name: string, words: readonly string[]): boolean =>
  wordsOf(name).some((word) => words.includes(word))

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Why a column is a key, all of whose values are different; null if it is none, or may be one by chance. */
export function keyReason(
  profile: ColumnProfile,
  { name, required, rule }: Pick<Field, 'name' | 'required' | 'rule'>,
): string | null {
  const { different, texts, digits } = profile
  const isExact =
    rule.type === 'number' ? rule.scale === 0 && digits.mostAfterPlus === 0 : rule.type !== 'date'
  if (different === null || texts < MIN_VALUES || !required || !isExact) return null
  const isForm = rule.type === 'pattern' || 'checkDigit' in rule || UUID.test(exampleOf(profile))
  const isName = hasWord(name, words.identifiers) && !hasWord(name, words.others)
  return isForm || isName ? reasons.key(isForm) : null
}

/** The exact length of codes if it is always the same, else a round maximum, else nothing. */
function lengthsOf({ texts, days, shortest, longest, options }: ColumnProfile): TextRule {
  if (texts + days < MIN_VALUES) return { type: 'text' }
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
  const isOther = profile.count('quantity') > 0 && profile.isAll('quantity', 'number', 'decimalComma', 'date')
  return isOther ? reasons.quantities(profile.first('quantity').text) : null
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
  return reasons.fixedLength(texts + days, longest, exampleOf(profile))
}

const quotable = (text: string): string => (text.length > MAX_QUOTED ? text.slice(0, MAX_QUOTED) + '…' : text)

/** The digits that a spreadsheet and a double hold exactly. */
const MAX_DIGITS = 15
/** So many digits after a '+' are a phone number. */
const PHONE_DIGITS = 7

/** Number, if every value is one and none is a code. No bounds: a sample does not show what is too much. */
function proposeNumber(profile: ColumnProfile): ProposedRule | null {
  if (!profile.isAll('number') || codeReason(profile) !== null) return null
  const { texts, digits } = profile
  const example = profile.first('number').text
  const scale = digits.decimals
  const reason = scale === 0 ? reasons.wholeNumbers(texts, example) : reasons.decimals(texts, example, scale)
  return { rule: { type: 'number', scale }, reason }
}

/** Why digits are codes: numbers would lose leading zeros, a '+' or some of many digits. Else null. */
function codeReason({ digits }: ColumnProfile): string | null {
  if (digits.withLeadingZero !== null) return reasons.leadingZeros(digits.withLeadingZero)
  if (digits.most > MAX_DIGITS) return reasons.longNumbers(digits.most, digits.longest)
  return digits.mostAfterPlus >= PHONE_DIGITS ? reasons.phoneNumbers(digits.withPlus) : null
}

/** How often an option must occur on average: rare values will be different in the next file. */
const USES_PER_OPTION = 5
/** Names of people are different in the next file even if each occurs often. */
const USES_PER_NAME = 20
/** Two words or more with capitals, as in `Müller, Zoë`. */
const PERSON = /^\p{Lu}[\p{L}'’.-]*(?:,? \p{Lu}[\p{L}'’.-]*)+$/u
/** Words of names without capitals, as in `Anna van der Berg`. */
const PARTICLES = /(?<![^ ])(?:van|von|de[lnr]?|d[aiu]|dos|la|le|al|el|bin|ter|zu) /g

/** The least share of plain texts: a few words among numbers or dates are not a list. */
const MOSTLY = 0.5

/** Pairs that are a list if both occur, however few rows there are. */
const CHOICES = [
  ['Yes', 'No'],
  ['True', 'False'],
  ['Y', 'N'],
  ['Ja', 'Nein'],
  ['Oui', 'Non'],
].flatMap((pair) => [pair, pair.map((word) => word.toUpperCase()), pair.map((word) => word.toLowerCase())])

/** Item from a list, if a few values repeat that are neither numbers nor dates. */
function proposeList(profile: ColumnProfile, name: string): ProposedRule | null {
  const { options, texts, days } = profile
  if (options === null || options.size < 2 || days > 0 || profile.count('text') < texts * MOSTLY) return null
  const choice = CHOICES.find(
    (pair) => options.size === pair.length && pair.every((word) => options.has(word)),
  )
  if (choice !== undefined) return { rule: { type: 'list', options: choice }, reason: reasons.choice(choice) }
  const areNames =
    hasWord(name, words.names) ||
    words.people.includes(wordsOf(name).at(-1)!) ||
    [...options].every((option) => PERSON.test(option.replace(PARTICLES, '')))
  if (texts < options.size * (areNames ? USES_PER_NAME : USES_PER_OPTION)) return null
  const sorted = [...options].toSorted((one, other) => one.localeCompare(other, 'en'))
  const reason = [reasons.list(texts, options.size), ...differentSpellings(sorted)].join(' ')
  return { rule: { type: 'list', options: sorted }, reason }
}

/** Options that differ only in case. */
function differentSpellings(sorted: readonly string[]): string[] {
  const spellings = Map.groupBy(sorted, (option) => option.toLowerCase())
  return [...spellings.values()]
    .filter((group) => group.length > 1)
    .map(([one, other]) => reasons.sameButCase(one, other))
}

/** True dates do not show how dates are written; this format cannot be misread. */
const UNAMBIGUOUS = 'yyyy-MM-dd'

/** Date, if every value is one and a single format fits them all. */
function proposeDate(profile: ColumnProfile): ProposedRule | null {
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
