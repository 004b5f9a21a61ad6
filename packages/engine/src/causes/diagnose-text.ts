import type { CellFault } from '@veridict/contract/model/cell-error'
import {
  isRoundNumber,
  isShortenedNumber,
  mayBePlaceholder,
  withoutEndSign,
  withoutQuotes,
  withPlainSpaces,
} from '#likeness/clean-text.ts'
import { corrected, type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { monthNamed } from '#likeness/month-names.ts'
import { timeWriting } from '#causes/time-writing.ts'
import { unitWriting } from '#causes/unit-writing.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type CellClassifier, FIRST_CLASS, NO_CLASS } from '#fast-path/cell-class.ts'
import type { BytesTest, CellCheck } from '#fast-path/fast-path.ts'
import * as byteNames from '#formats/byte-names.ts'

const { COLON, MINUS, SPACE, ZERO } = byteNames

/** Where old programs cut a text. */
const SHORTEST_CUT = 254
const CUT_LENGTHS: ReadonlySet<number> = new Set([SHORTEST_CUT, 255, 256])
/** Zeros that a spreadsheet may have dropped. */
const MOST_LOST_ZEROS = 12
const DIGITS = /^\d+$/
/** A code such as 1-3 that a spreadsheet turned into a date. */
const CODE_AS_DATE = /^(?:\d\d?-)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-\d{2,4})?$/i
const DAY = /^\d{4}-\d{2}-\d{2}(?: 00:00:00)?$/
const WHOLE_WITH_POINT = /^(?<whole>\d+)\.0+$/

const patternMismatch = unresolved('patternMismatch')

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
 * Dates, also with a time of day, ranges of years, addresses of machines, and where other signs are there too
 * what a point makes of one or two digits: decimals, times of day and dates, as in 1 234.50 and 10.30-12.45.
 * Not +33 6.12.34.56.78.
 */
const OTHER_SEPARATED = new RegExp(
  '^(?:(?:\\d\\d?|\\d{4})[ .-]\\d\\d?[ .-](?:\\d\\d?|\\d{4})(?: .*)?|(?:19|20)\\d\\d ?- ?(?:19|20)\\d\\d|' +
    '(?:\\d{1,3}\\.){3}\\d{1,3}|\\d+\\.\\d+|(?=.*[ ()-])(?!.*(?:\\.\\d\\d){3}).*\\.\\d\\d?(?!\\d).*)$',
)

/**
 * What digits are not, though a pattern has its signs there: amounts with decimals, which 1234567 is not,
 * times of day, and places on a map.
 */
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

/** Kinds of characters that another writing of a text would change, as bits. */
const Has = { Lower: 1, Upper: 2, NonAscii: 4 } as const

function charactersOf(text: string): number {
  let found = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7e) found |= Has.NonAscii
    else if (code >= 0x61 && code <= 0x7a) found |= Has.Lower
    else if (code >= 0x41 && code <= 0x5a) found |= Has.Upper
  }
  return found
}

/**
 * First bytes of texts that are more than a mismatch: quotes, digits, signs, with a hyphen or a colon months
 * and days of the week, and before enough digits what can stand before the first of them (see `SEPARATED`).
 */
const Start = { Other: 0, Special: 1, Month: 2, BeforeDigits: 3 } as const
const starts = new Uint8Array(0x100).fill(Start.Special, 0, 0x21).fill(Start.Special, 0x7f)
for (const first of '0123456789-="#\'`') starts[first.charCodeAt(0)] = Start.Special
for (const first of '+(') starts[first.charCodeAt(0)] = Start.BeforeDigits
for (const first of 'jfmasondtwJFMASONDTW') starts[first.charCodeAt(0)] = Start.Month

/** Last bytes of values that are valid without them: signs, and the end of _x000D_. */
const isEndSign = new Uint8Array(0x100)
for (const sign of ';,._') isEndSign[sign.charCodeAt(0)] = 1

/** Whether there are enough digits for `joinedDigits`, which counts a + as one of them. */
function mayBeSeparated(bytes: Uint8Array, from: number, to: number): boolean {
  let digits = 1
  for (let at = from; at < to; at++) if ((bytes[at] - ZERO) >>> 0 <= 9) digits++
  return digits >= FEWEST_SEPARATED
}

/** Of codes that a spreadsheet made dates, and of a day before a time. */
function hasMinusOrColon(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === MINUS || bytes[at] === COLON) return true
  return false
}

/** One class: the values that are surely `patternMismatch` and nothing else, as most are. */
export const mismatchClassifier = (mayFitRewritten: BytesTest): CellClassifier => {
  return (code, bytes, from, to) => {
    const size = to - from
    const start = starts[bytes[from]]
    if (code !== 'patternMismatch') return NO_CLASS
    if (start === Start.Special || size >= SHORTEST_CUT || bytes[to - 1] <= SPACE) return NO_CLASS
    if (start === Start.Month && hasMinusOrColon(bytes, from, to)) return NO_CLASS
    if (start === Start.BeforeDigits && mayBeSeparated(bytes, from, to)) return NO_CLASS
    if (isEndSign[bytes[to - 1]] === 1) return NO_CLASS
    if (mayBePlaceholder(bytes[from], bytes[to - 1], size)) return NO_CLASS
    return mayFitRewritten(bytes, from, to) ? NO_CLASS : FIRST_CLASS
  }
}

/** What is wrong with a value of a text field or of a pattern that is not blank and no placeholder. */
export function textDiagnoser(
  check: CellCheck,
  withSeparators: ColumnCheck['withSeparators'] | null,
): (text: string, fault: CellFault) => Diagnosis {
  const isPattern = withSeparators !== null
  const accepts = (text: string) => check(text) === null

  /** A word that fits by itself, as each of "ABC DEF" may: then these are two values, and not one. */
  const isWhole = (part: string): boolean =>
    /[A-Za-z]/.test(part) && (accepts(part) || accepts(part.toUpperCase()))

  function lostZeros(text: string): Diagnosis | null {
    let found: string | null = null
    let padded = text
    for (let count = 1; count <= MOST_LOST_ZEROS; count++) {
      padded = `0${padded}`
      if (!accepts(padded)) continue
      // Two lengths fit: how many zeros were there?
      if (found !== null) return null
      found = padded
    }
    return found === null ? null : { ...unresolved('lostZeros'), readings: [found, null] }
  }

  /**
   * 4711 for 0000004711 where the pattern allows no zero in front. null where not the zeros alone are the
   * fault: then the pattern does not accept the text with other digits in their place either.
   */
  function withoutLeadingZeros(text: string): string | null {
    const [zeros] = /^0+(?=[1-9])/.exec(text) ?? ['']
    if (zeros === '' || !accepts('1'.repeat(zeros.length) + text.slice(zeros.length))) return null
    const digits = text.slice(zeros.length)
    return accepts(digits) && !accepts(`0${digits}`) ? digits : null
  }

  /** A pattern that only capitals fit, and so on: exactly one way of writing the value fits. */
  function otherWriting(text: string): Diagnosis | null {
    let fixed: string | null = null
    let kind: Diagnosis['kind'] = 'patternMismatch'
    let detail = ''
    const offer = (candidate: string, of: Diagnosis['kind'], ofDetail = ''): boolean => {
      if (candidate === text || candidate === fixed || !accepts(candidate)) return true
      if (fixed !== null) return false
      fixed = candidate
      kind = of
      detail = ofDetail
      return true
    }
    const has = charactersOf(text)
    const plain = has & Has.NonAscii ? text.normalize('NFKC').replace(DASHES, '-') : text
    if (!offer(plain, 'variant')) return null
    if (has & (Has.Lower | Has.NonAscii)) {
      if (!offer(plain.toUpperCase(), 'letterCase')) return null
      if (LOOKALIKES.test(plain) && !offer(plain.replaceAll('l', '1').replaceAll('o', '0'), 'letterCase'))
        return null
    }
    if (has & (Has.Upper | Has.NonAscii) && !offer(plain.toLowerCase(), 'letterCase')) return null
    if (plain.includes(' ')) {
      const joined = plain.replaceAll(' ', '')
      const form = accepts(joined) ? joined : joined.toUpperCase()
      if (accepts(form) && !plain.split(' ').some(isWhole) && !offer(form, 'spaces')) return null
    }
    const digits = joinedDigits(plain)
    if (digits !== null) {
      if (!offer(digits, 'punctuation')) return null
      // 00 is dialled for +.
      if (digits.startsWith('00') && !offer(`+${digits.slice(2)}`, 'punctuation')) return null
    }
    if (!offer(withoutEndSign(plain), 'punctuation')) return null
    const separated = fixed === null ? withOtherSeparators(plain) : []
    for (const form of separated) if (!offer(form, 'variant', 'separators')) return null
    return fixed === null ? null : corrected(kind, detail, fixed)
  }

  /** 555-1234 for 5551234, and AB-12 for AB12, where the pattern has its separators in fixed places. */
  function withOtherSeparators(text: string): readonly string[] {
    if (SEPARATED_CODE.test(text) && !WITH_EXPONENT.test(text) && !isDayOfMonth(text)) {
      const characters = text.replace(/[^A-Za-z0-9]/g, '')
      const forms = characters.length < FEWEST_OF_CODE ? [] : withSeparators!(characters)
      const found =
        forms.length > 0 || LOOKALIKES.test(text) ? forms : withSeparators!(characters.toUpperCase())
      return found.every((form) => keepsParts(text, form)) ? found : []
    }
    if (!/^[\d(+]/.test(text)) return []
    const digits = DIGITS.test(text) ? text : joinedDigits(text.replaceAll('/', '-'))
    if (digits === null || digits.length < FEWEST_SEPARATED) return []
    const forms = withSeparators!(digits)
    // 20240131 is no 20-24-0131.
    const isOther = (form: string) =>
      OTHER_SEPARATED.test(form.replace(/[/:_,]/g, '-')) || MEASURED.test(form)
    return forms.some((form) => isOther(form) || !keepsParts(text, form)) ? [] : forms
  }

  return function diagnose(text, fault) {
    const bare = withoutQuotes(text)
    if (bare !== text && accepts(bare)) return corrected('quotes', '', bare)
    const plain = withPlainSpaces(text)
    if (plain !== text && accepts(plain)) return corrected('spaces', '', plain)
    if (isShortenedNumber(text)) return shortenedNumber
    const code = text.charCodeAt(0)
    if (code >= 0x30 && code <= 0x39) {
      if (fault.code !== 'textTooLong' && DIGITS.test(text)) {
        const padded = lostZeros(text)
        if (padded !== null) return padded
      }
      if (isPattern) {
        const digits = DIGITS.test(text) ? withoutLeadingZeros(text) : null
        if (digits !== null) return corrected('variant', 'zeros', digits)
        const whole = WHOLE_WITH_POINT.exec(text)?.groups!.whole
        if (whole !== undefined) {
          if (accepts(whole)) return corrected('trailingZeros', '', whole)
          const [separated, ...others] = withOtherSeparators(whole)
          if (separated !== undefined && others.length === 0)
            return corrected('variant', 'separators', separated)
          const padded = lostZeros(whole)
          if (padded !== null) return padded
        }
        if (isRoundNumber(text)) {
          const digits = String(Number(text))
          if (accepts(digits)) return corrected('exponent', '', digits)
        }
        if (DAY.test(text)) return codeAsDate
      }
    }
    if (fault.code !== 'textTooLong' && text.length <= 11 && text.includes('-') && CODE_AS_DATE.test(text))
      return codeAsDate
    if (CUT_LENGTHS.has(text.length)) return cutText
    if (isPattern) {
      const other = otherWriting(text)
      if (other !== null) return other
      const time = timeWriting(withPlainSpaces(text), accepts)
      if (time !== null) return corrected('variant', 'time', time)
      const withUnit = code >= 0x30 && code <= 0x39 ? unitWriting(withPlainSpaces(text), accepts) : null
      if (withUnit !== null) return corrected('variant', '', withUnit)
    }
    return KINDS[fault.code as keyof typeof KINDS] ?? patternMismatch
  }
}
