import type { Field } from '@veridict/contract/model/field'
import type { DateRule, ListRule, NumberRule, Rule, TextRule } from '@veridict/contract/model/rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import {
  ALWAYS,
  choice,
  isAnyFilled,
  isBlank,
  isDigits,
  isOneOf,
  isPlain,
  isTrimmed,
  joined,
  NEVER,
  numeral,
  plainCount,
} from '#formulas/formula-text.ts'
import { patternFormula } from '#formulas/pattern-formula.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { composed } from '#rules/composed.ts'

/** Excel's limit on the length of a formula, less the characters by which ours begin. */
const MAX_FORMULA = 8192 - 32

/** What is wrong of values: of trimmed texts, of numbers (also dates), and of TRUE and FALSE. */
type WrongValues = { readonly text: string; readonly number: string; readonly logical: string }

export type FormulaScope = {
  /** The cells of the table in the row. */
  readonly row: string
  /** Whether required cells may be blank in some rows. */
  readonly hasExemption: boolean
  readonly blankTexts: readonly string[]
}

export type CellFormula = {
  /** TRUE only where the engine surely refuses the cell. Elsewhere, also at errors, only the engine knows. */
  readonly wrong: string
  /** Whether it does not know all of the field's rule, even of plain texts; check digits aside. */
  readonly isPartial: boolean
}

/**
 * The formula of a cell of a field. `cell` is its reference, such as `$A2`. Formulas compute the same in
 * every country and in LibreOffice: they neither read nor write a number with decimals as text.
 */
export function cellFormula({ rule, required }: Field, cell: string, scope: FormulaScope): CellFormula {
  const { text, number, logical } = wrongValues(rule, cell)
  const blankTexts = scope.blankTexts.map((one) => one.trim())
  const isBlankText = joined('AND', [`ISTEXT(${cell})`, isOneOf(cell, blankTexts)])
  const blank = joined('OR', [isBlank(cell), blankTexts.length === 0 ? NEVER : isBlankText])
  // The number 9 may be the text 9, which counts as blank, and so may #N/A and TRUE.
  const mayCount = blankTexts.some((one) => /\d|#|TRUE|FALSE/.test(one))
  const ofOther = mayCount ? NEVER : choice(`ISLOGICAL(${cell})`, logical, number)
  const filled = choice(`ISTEXT(${cell})`, choice(isTrimmed(cell), text), ofOther)
  const blankIsWrong = required && !scope.hasExemption ? isAnyFilled(scope.row) : NEVER
  const ofError = mayCount ? NEVER : ALWAYS
  const wrong = choice(`ISERROR(${cell})`, ofError, choice(blank, blankIsWrong, filled))
  const isTooLong = wrong.length > MAX_FORMULA
  return { wrong: isTooLong ? NEVER : wrong, isPartial: isTooLong || isBeyondFormulas(rule, text) }
}

function isBeyondFormulas(rule: Rule, text: string): boolean {
  if (rule.type === 'number') return ![rule.minimum, rule.maximum].every(isExact)
  return rule.type === 'pattern' ? text === NEVER : rule.type === 'list' && rule.separator !== undefined
}

function wrongValues(rule: Rule, cell: string): WrongValues {
  switch (rule.type) {
    case 'text':
      return ofTexts(textFormula(rule, cell))
    case 'pattern':
      return ofTexts(patternFormula(rule.pattern, cell))
    case 'list':
      return ofTexts(listFormula(rule, cell))
    case 'number':
      return numberFormulas(rule, cell)
    case 'date':
      return dateFormulas(rule, cell)
  }
}

/** A whole number is read as its digits, if it is no date: formulas cannot tell. */
const ofTexts = (text: string): WrongValues => ({ text, number: NEVER, logical: NEVER })

/** Programs count a text in different units, but never less than the engine. */
function textFormula({ minLength = 0, maxLength = 0 }: TextRule, cell: string): string {
  const length = `LEN(${cell})`
  const isLong = `IF(${length}>${maxLength},${plainCount(cell, maxLength + 1)}>${maxLength})`
  return joined('OR', [minLength < 2 ? NEVER : `${length}<${minLength}`, maxLength === 0 ? NEVER : isLong])
}

function listFormula({ options, separator }: ListRule, cell: string): string {
  const known = new Set(options.map((option) => option.trim()).filter((option) => option !== ''))
  if (separator !== undefined || known.size === 0) return NEVER
  const isListed = isOneOf(cell, [...new Set([...known].flatMap((option) => [option, composed(option)]))])
  return `IF(${isListed},FALSE,${isPlain(cell)})`
}

/** Different numbers of so many digits are different doubles. */
const EXACT_DIGITS = 15
/** More than the share of a number that rounding to these digits changes. */
const NOISE = 1e-13

/**
 * A text is a sign, digits, and digits after a point; it is read as a whole number, and divided by a power of
 * ten. Programs call numbers equal that differ in their last digits, so a bound is moved by more than these.
 */
function numberFormulas({ scale, minimum, maximum }: NumberRule, cell: string): WrongValues {
  const unsigned = `MID(${cell},1+ISNUMBER(FIND(LEFT(${cell}),"+-")),32767)`
  const digits = `SUBSTITUTE(${unsigned},".","",1)`
  const point = `FIND(".",${unsigned}&".")`
  const decimals = `MAX(0,LEN(${unsigned})-${point})`
  const isNumber = `IFERROR(AND(${isDigits(digits)},${point}>1,RIGHT(${unsigned})<>"."),FALSE)`
  const value = `VALUE(${digits})/10^${decimals}*IF(LEFT(${cell})="-",-1,1)`
  const beyond = (one: string) => [beyondBound(one, '<', minimum), beyondBound(one, '>', maximum)]
  const ofText = joined('OR', [
    scale === undefined ? NEVER : isNot(`${decimals}<=${scale}`),
    ...beyond(value).map((one) => choice(`LEN(${digits})<=${EXACT_DIGITS}`, one)),
  ])
  const ofNumber = joined('OR', [
    scale === undefined ? NEVER : `ABS(${cell}-ROUND(${cell},${scale}))>ABS(${cell})*${numeral(NOISE)}`,
    ...beyond(cell),
  ])
  return { text: choice(isNumber, ofText, ALWAYS), number: ofNumber, logical: ALWAYS }
}

/** Where a formula is an error, it does not hold. */
const isNot = (formula: string): string => `NOT(IFERROR(${formula},FALSE))`

/** Whether a number is surely beyond a bound; `sign` is how it then compares. */
function beyondBound(value: string, sign: '<' | '>', bound: number | undefined): string {
  if (bound === undefined || !isExact(bound)) return NEVER
  return `${value}${sign}${numeral(bound + (sign === '<' ? -1 : 1) * Math.abs(bound) * NOISE)}`
}

const isExact = (bound: number | undefined): boolean =>
  bound === undefined || plainDecimal(bound).replace(/^-?0*\.?0*|\./g, '').length <= EXACT_DIGITS

/** In days. A moment is read to the nearest second. */
const SECONDS = '0.0001'

/** Every part of a date has the digits of its format, and the day exists in the calendar. */
function dateFormulas({ format }: DateRule, cell: string): WrongValues {
  const { parts, separator } = parseDateFormat(format)!
  const ends = parts.map((_, index) => (index === 0 ? '0' : endOf(cell, separator, index)))
  const texts = parts.map((_, index) => {
    const length = index + 1 < parts.length ? `${ends[index + 1]}-${ends[index]}-1` : '99'
    return parts.length === 1 ? cell : `MID(${cell},${ends[index]}+1,${length})`
  })
  const valueOf = (unit: string, missing: number) => {
    const at = parts.findIndex((part) => part.startsWith(unit))
    return at < 0 ? String(missing) : `VALUE(${texts[at]})`
  }
  const [day, month, year] = [valueOf('d', 1), valueOf('M', 1), valueOf('y', 2000)]
  const digits = parts.slice(1).reduce((rest) => `SUBSTITUTE(${rest},"${separator}","",1)`, cell)
  // Years are compared in the 400 years from 2000 on, in which every program knows the leap days.
  const lastDay = `DAY(DATE(2000+MOD(${year},400),${month}+1,0))`
  const text = isNot(
    joined('AND', [
      isDigits(digits),
      ...parts.map((part, index) => lengthOf(part, texts[index])),
      ...(parts.includes('yyyy') ? [`${year}>0`] : []),
      `${month}>0`,
      `${month}<13`,
      `${day}>0`,
      `${day}<=${lastDay}`,
    ]),
  )
  const number = parts.length === 3 ? `ABS(${cell}-ROUND(${cell},0))>${SECONDS}` : NEVER
  return { text, number, logical: ALWAYS }
}

/** Where the separator number `count` of a text is. */
const endOf = (cell: string, separator: string, count: number): string =>
  `FIND("${separator}",${cell}${count === 1 ? '' : `,1+${endOf(cell, separator, count - 1)}`})`

/** `d` and `M` take one or two digits. */
const lengthOf = (part: string, text: string): string =>
  part.length > 1 ? `LEN(${text})=${part.length}` : `OR(LEN(${text})=1,LEN(${text})=2)`
