import type { CellFault } from '@veridict/contract/model/cell-error'
import {
  isRoundNumber,
  isShortenedNumber,
  mayBePlaceholder,
  withoutEndSigns,
  withPlainSpaces,
} from '#likeness/clean-text.ts'
import { type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { monthNamed } from '#likeness/month-names.ts'
import { firstMeaning, type Grammar } from '#causes/grammar.ts'
import { timesAfterDate, timeWritings } from '#causes/time-writing.ts'
import { unitWritings } from '#causes/unit-names.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { CellCheck } from '#fast-path/fast-path.ts'
import * as byteNames from '#formats/byte-names.ts'

const { ZERO } = byteNames

/** Where old programs cut a text. */
const SHORTEST_CUT = 254
const CUT_LENGTHS: ReadonlySet<number> = new Set([SHORTEST_CUT, 255, 256])
/** Zeros that a spreadsheet may have dropped. */
const MOST_LOST_ZEROS = 12
const DIGITS = /^\d+$/
/** A code such as 1-3 that a spreadsheet turned into a date. */
const CODE_AS_DATE = /^(?:\d\d?-)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-\d{2,4})?$/i
const DAY = /^\d{4}-\d{2}-\d{2}(?: 00:00:00)?$/
const WHOLE = /^(?<digits>\d+)(?:\.0+)?$/
const LEADING_ZEROS = /^(?<zeros>0+)(?<digits>[1-9]\d*)$/
const STARTS_WITH_DIGIT = /^\d/

export const patternMismatch = unresolved('patternMismatch')

const KINDS = {
  textTooShort: unresolved('textTooShort'),
  textTooLong: unresolved('textTooLong'),
  patternMismatch,
} as const
const codeAsDate = unresolved('codeAsDate')
const shortenedNumber = unresolved('shortenedNumber')
const cutText = unresolved('cutText')

/** Digits with signs between them: 555-123-4567, +41 (44) 123 45 67. */
const SEPARATED = /^\+?\(?\d+\)?(?:(?:[ .-]{1,3}|(?<=\)))\(?\d+\)?)+$/
/** Fewer digits with signs between them may be an amount, a range or a date. */
const FEWEST_SEPARATED = 7
/**
 * Dates (also with a time of day), ranges of years, addresses of machines and what a point makes of one or
 * two digits beside other signs: decimals, times and dates (1 234.50, 10.30-12.45). Not +33 6.12.34.56.78.
 */
const OTHER_SEPARATED = new RegExp(
  '^(?:(?:\\d\\d?|\\d{4})[ .-]\\d\\d?[ .-](?:\\d\\d?|\\d{4})(?: .*)?|(?:19|20)\\d\\d ?- ?(?:19|20)\\d\\d|' +
    '(?:\\d{1,3}\\.){3}\\d{1,3}|\\d+\\.\\d+|(?=.*[ ()-])(?!.*(?:\\.\\d\\d){3}).*\\.\\d\\d?(?!\\d).*)$',
)

/** No codes, despite a pattern's signs: amounts with decimals (1234567 has none), times, places on a map. */
const MEASURED = new RegExp(
  '^(?:\\d+[.,]\\d+|\\d{1,3}(?:([ .,])\\d{3})+(?!\\1)[.,]\\d+|\\d{1,3}(?::\\d\\d){1,2}[.,]\\d+|' +
    '\\d+\\.\\d+[ ,]+\\d+\\.\\d+)$',
)

/** 5000 - 10000. Of a phone number one part hardly ends with a zero as well as the other. */
const ROUND_RANGE = /^(?<from>[1-9]\d*0) ?- ?(?<to>[1-9]\d*0)$/

function isRoundRange(text: string): boolean {
  const range = ROUND_RANGE.exec(text)?.groups
  return range !== undefined && Number(range.from) < Number(range.to)
}

/** 5551234567 for 555-123-4567; null where the signs may mean something. */
function joinedDigits(text: string): string | null {
  // In +49 (0)30, the zero is no digit of the number.
  if (!SEPARATED.test(text) || OTHER_SEPARATED.test(text) || text.includes('(0)')) return null
  if (isRoundRange(text)) return null
  const digits = text.replace(/[^\d+]/g, '')
  return digits.length >= FEWEST_SEPARATED ? digits : null
}

/** Letters among digits, with signs between some of them: no amount. 7:10 pm is a time of day. */
const SEPARATED_CODE =
  /^(?!.*(?::\d\d|\d[ ap.]*m\.?$))(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d]+(?:[ _./:,-]{1,3}[A-Za-z\d]+)*$/i
const WITH_EXPONENT = /^\d+\.\d+E\d+$/i
const FEWEST_OF_CODE = 4

/** 12MAR24. */
function isDayOfMonth(text: string): boolean {
  const name = /^\d{1,2}(?<name>[A-Za-z]{3,})(?:\d{2}|\d{4})$/.exec(text)?.groups!.name
  return name !== undefined && monthNamed(name) > 0
}

/** How many letters and digits stand before each of the signs, but for those in front. */
function partsOf(text: string): number[] {
  let count = 0
  const parts = text.split(/[^A-Za-z0-9]+/).slice(0, -1)
  return parts.map((part) => (count += part.length)).filter((end) => end > 0)
}

/** Whether signs stand in the form wherever they stand in the text: AB 1.2.34 is no AB-12-34. */
function keepsParts(text: string, form: string): boolean {
  const ends = partsOf(form)
  return partsOf(text).every((end) => ends.includes(end))
}

const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g

/** Capitals and digits with an l or an o among them, which may stand for 1 and 0. */
const LOOKALIKES = /^(?=.*[A-Z])(?=.*[lo])[^a-km-np-z]*$/

/**
 * First characters of texts that may be more than a mismatch: quotes, digits, signs, months and days of the
 * week (with a hyphen or a colon), and what may stand before enough digits (see `SEPARATED`).
 */
const Start = { Other: 0, Special: 1, Month: 2, BeforeDigits: 3 } as const
const starts = new Uint8Array(0x80).fill(Start.Special, 0, 0x21).fill(Start.Special, 0x7f)
for (const first of '0123456789-="#\'`') starts[first.charCodeAt(0)] = Start.Special
for (const first of '+(') starts[first.charCodeAt(0)] = Start.BeforeDigits
for (const first of 'jfmasondtwJFMASONDTW') starts[first.charCodeAt(0)] = Start.Month

/** Whether there are enough digits for `joinedDigits`, which counts a + as one of them. */
function mayBeSeparated(text: string): boolean {
  let digits = 1
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) - ZERO) >>> 0 <= 9) digits++
  return digits >= FEWEST_SEPARATED
}

/** Whether a text that a pattern refuses is surely nothing but that, as most are. */
export function isPlainMismatch(text: string, mayFitRewritten: (text: string) => boolean): boolean {
  const { length } = text
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(length - 1)
  const start = first < starts.length ? starts[first] : Start.Special
  if (start === Start.Special || length >= SHORTEST_CUT) return false
  // Of codes that a spreadsheet made dates, and of a day before a time.
  if (start === Start.Month && (text.includes('-') || text.includes(':'))) return false
  if (start === Start.BeforeDigits && mayBeSeparated(text)) return false
  // Values that are valid without their last sign, and the end of _x000D_.
  if (';,._'.includes(text[length - 1]) || mayBePlaceholder(first, last, length)) return false
  return !LOOKALIKES.test(text) && !mayFitRewritten(text)
}

/** What is wrong with a value of a text field or of a pattern that is not blank and no placeholder. */
export function textDiagnoser(
  check: CellCheck,
  withSeparators: WithSeparators | null,
  prefix: () => string = () => '',
): (text: string, fault: CellFault) => Diagnosis {
  const accepts = (text: string) => check(text) === null
  const lostZeros = zerosGrammar(accepts)
  const ofDigits = withSeparators ? digitGrammars(accepts, withSeparators, prefix) : []
  const spellings = withSeparators ? spellingGrammars(accepts, withSeparators) : []

  return function diagnose(text, { code }) {
    if (isShortenedNumber(text)) return shortenedNumber
    const isLong = code === 'textTooLong'
    if (STARTS_WITH_DIGIT.test(text)) {
      const groups =
        isLong || (withSeparators === null && !DIGITS.test(text)) ? ofDigits : [[lostZeros], ...ofDigits]
      const meaning = firstMeaning(groups, text, accepts)
      if (meaning !== null) return meaning
      if (withSeparators !== null && DAY.test(text)) return codeAsDate
    }
    if (!isLong && text.length <= 11 && text.includes('-') && CODE_AS_DATE.test(text)) return codeAsDate
    if (CUT_LENGTHS.has(text.length)) return cutText
    return firstMeaning(spellings, text, accepts) ?? KINDS[code as keyof typeof KINDS] ?? patternMismatch
  }
}

type Accepts = (text: string) => boolean
type WithSeparators = NonNullable<ColumnCheck['withSeparators']>

/** The digits of 1234 and 1234.0; '' of another text. */
const wholeOf = (text: string): string => WHOLE.exec(text)?.groups!.digits ?? ''

/** Zeros that a spreadsheet dropped; with two lengths that fit, how many were there? */
const zerosGrammar = (accepts: Accepts): Grammar => ({
  kind: 'lostZeros',
  isOpen: true,
  tries(text) {
    const digits = wholeOf(text)
    return digits === '' || accepts(digits) ? [] : padded(digits)
  },
})

const padded = (digits: string, prefix = ''): string[] =>
  Array.from({ length: MOST_LOST_ZEROS }, (_, index) => prefix + '0'.repeat(index + 1) + digits)

/** What begins with digits, as a pattern has it. */
const digitGrammars = (
  accepts: Accepts,
  withSeparators: WithSeparators,
  prefix: () => string,
): readonly (readonly Grammar[])[] => [
  [
    {
      kind: 'variant',
      detail: 'zeros',
      // 4711 for 0000004711. If the zeros alone are not the fault, other digits in their place fail, too.
      tries(text) {
        const { zeros, digits } = LEADING_ZEROS.exec(text)?.groups ?? {}
        if (zeros === undefined || accepts(`0${digits}`)) return []
        return accepts('1'.repeat(zeros.length) + digits) ? [digits] : []
      },
    },
  ],
  [{ kind: 'trailingZeros', tries: (text) => [wholeOf(text)] }],
  [
    {
      kind: 'variant',
      detail: 'separators',
      tries: (text) => (DIGITS.test(text) ? [] : [separatedForm(wholeOf(text), withSeparators)]),
    },
  ],
  [{ kind: 'exponent', tries: (text) => (isRoundNumber(text) ? [String(Number(text))] : []) }],
  // A prefix before digits, of which zeros may be missing as well.
  [{ kind: 'prefix', isOpen: true, tries: (text) => (prefix() === '' ? [] : [prefix() + text]) }],
  [
    {
      kind: 'prefix',
      isOpen: true,
      tries: (text) => (prefix() === '' || !DIGITS.test(text) ? [] : padded(text, prefix())),
    },
  ],
]

/** Other ways to write the same, of which exactly one fits a pattern. */
function spellingGrammars(accepts: Accepts, withSeparators: WithSeparators): readonly (readonly Grammar[])[] {
  /** A word that fits by itself, as each of "ABC DEF" may: then these are two values, and not one. */
  const isWhole = (part: string): boolean =>
    /[A-Za-z]/.test(part) && (accepts(part) || accepts(part.toUpperCase()))
  const joinedWords = (text: string): string[] => {
    const joined = text.replaceAll(' ', '')
    if (joined === text) return []
    const form = accepts(joined) ? joined : joined.toUpperCase()
    // A cell may have hundreds of words: they are looked at only where the joined form fits.
    return accepts(form) && !text.split(' ').some(isWhole) ? [form] : []
  }
  return [
    [
      { kind: 'variant', tries: (text) => [plainOf(text)] },
      { kind: 'letterCase', tries: (text) => lettersOf(plainOf(text)) },
      { kind: 'spaces', tries: (text) => joinedWords(plainOf(text)) },
      { kind: 'punctuation', tries: (text) => digitsOf(plainOf(text)) },
      { kind: 'punctuation', tries: (text) => [withoutEndSigns(plainOf(text))] },
    ],
    [
      {
        kind: 'variant',
        detail: 'separators',
        tries: (text) => [separatedForm(plainOf(text), withSeparators)],
      },
    ],
    [{ kind: 'variant', detail: 'time', tries: (text) => timeWritings(withPlainSpaces(text), accepts) }],
    [{ kind: 'variant', detail: 'time', tries: (text) => timesAfterDate(withPlainSpaces(text), accepts) }],
    [{ kind: 'variant', tries: (text) => unitWritings(withPlainSpaces(text), accepts) }],
  ]
}

const plainOf = (text: string): string => text.normalize('NFKC').replace(DASHES, '-')

function lettersOf(text: string): string[] {
  const forms = [text.toUpperCase(), text.toLowerCase()]
  if (LOOKALIKES.test(text)) forms.push(text.replaceAll('l', '1').replaceAll('o', '0'))
  return forms
}

/** The digits of a text with signs between them. 00 is dialled for +. */
function digitsOf(text: string): string[] {
  const digits = joinedDigits(text)
  if (digits === null) return []
  return digits.startsWith('00') ? [digits, `+${digits.slice(2)}`] : [digits]
}

/** 555-1234 for 5551234, and AB-12 for AB12, where a pattern has separators in fixed places; else ''. */
function separatedForm(text: string, withSeparators: WithSeparators): string {
  if (SEPARATED_CODE.test(text) && !WITH_EXPONENT.test(text) && !isDayOfMonth(text)) {
    const characters = text.replace(/[^A-Za-z0-9]/g, '')
    const form = characters.length < FEWEST_OF_CODE ? null : withSeparators(characters)
    const found = form === null && !LOOKALIKES.test(text) ? withSeparators(characters.toUpperCase()) : form
    return found !== null && keepsParts(text, found) ? found : ''
  }
  if (!/^[\d(+]/.test(text)) return ''
  const digits = DIGITS.test(text) ? text : joinedDigits(text.replaceAll('/', '-'))
  const form = digits === null || digits.length < FEWEST_SEPARATED ? null : withSeparators(digits)
  // 20240131 is no 20-24-0131.
  const isOther = form === null || OTHER_SEPARATED.test(form.replace(/[/:_,]/g, '-')) || MEASURED.test(form)
  return isOther || !keepsParts(text, form) ? '' : form
}
