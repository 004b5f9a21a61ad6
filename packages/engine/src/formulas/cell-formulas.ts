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
  isShownAsDate,
  isShownAsNumber,
  isSurelyNumber,
  isTrimmed,
  isWrong,
  joined,
  NEVER,
  numeral,
  plainCount,
  UNKNOWN,
} from '#formulas/formula-text.ts'
import { patternFormula } from '#formulas/pattern-formula.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { composed, MOST_COMPOSED } from '#rules/composed.ts'

/** Excel's limit on the length of a formula, less the characters by which ours begin. */
const MAX_FORMULA = 8192 - 32

export type FormulaScope = {
  /** The cells of the table in the row. */
  readonly row: string
  /** Whether required cells may be blank in some rows. */
  readonly hasExemption: boolean
  readonly blankTexts: readonly string[]
}

export type CellFormula = {
  /**
   * TRUE where the engine surely refuses the cell; FALSE where it surely accepts it, if the cell shows no
   * date or the field is one of dates; else an error.
   */
  readonly wrong: string
  /** Whether it does not know all of the field's rule, even of plain texts; check digits aside. */
  readonly isPartial: boolean
}

/**
 * The formula of a cell of a field. `cell` is its reference, such as `$A2`. Formulas compute the same in
 * every country and in LibreOffice: they neither read nor write a number with decimals as text.
 */
export function cellFormula({ rule, required }: Field, cell: string, scope: FormulaScope): CellFormula {
  const filled = wrongValue(rule, cell)
  const blankTexts = scope.blankTexts.map((one) => one.trim())
  const isBlankText = joined('AND', [`ISTEXT(${cell})`, isOneOf(cell, blankTexts)])
  const blank = joined('OR', [isBlank(cell), blankTexts.length === 0 ? NEVER : isBlankText])
  // The number 9 may be the text 9, which counts as blank, and so may #N/A and TRUE.
  const mayCount = blankTexts.some((one) => /\d|#|TRUE|FALSE/.test(one))
  const ofFilled = mayCount ? choice(`ISTEXT(${cell})`, filled, UNKNOWN) : filled
  const ofRequired = scope.hasExemption ? UNKNOWN : choice(isAnyFilled(scope.row), ALWAYS, UNKNOWN)
  const ofError = mayCount ? UNKNOWN : ALWAYS
  const wrong = choice(`ISERROR(${cell})`, ofError, choice(blank, required ? ofRequired : NEVER, ofFilled))
  const isTooLong = wrong.length > MAX_FORMULA
  return { wrong: isTooLong ? UNKNOWN : wrong, isPartial: isTooLong || isBeyondFormulas(rule, filled) }
}

function isBeyondFormulas(rule: Rule, filled: string): boolean {
  if (rule.type === 'number') return ![rule.minimum, rule.maximum].every(isExact)
  return rule.type === 'pattern' ? filled === UNKNOWN : rule.type === 'list' && rule.separator !== undefined
}

/** Whether a value is wrong, of a cell that is neither blank nor an error. */
function wrongValue(rule: Rule, cell: string): string {
  switch (rule.type) {
    case 'text':
      return asText(checked(textFormula(rule, cell), rule), cell)
    case 'pattern':
      return asText(checked(patternFormula(rule.pattern, cell), rule), cell)
    case 'list':
      return asText(listFormula(rule, cell), cell)
    case 'number':
      return numberFormulas(rule, cell)
    case 'date':
      return dateFormulas(rule, cell)
  }
}

/** No formula knows check digits. */
const checked = (text: string, { checkDigit }: Pick<TextRule, 'checkDigit'>): string =>
  checkDigit === undefined || text === UNKNOWN ? text : `IF(${text},${ALWAYS},${UNKNOWN})`

/** Digits of a whole number that every program shows. */
const MAX_SHOWN = '1E+11'

/** A whole number is read as its digits, if it is no date. Where it may be one, its digits are not wrong. */
function asText(text: string, cell: string): string {
  if (text === NEVER || text === UNKNOWN) return text
  const isWhole = `AND(${isShownAsNumber(cell)},${cell}=INT(${cell}),ABS(${cell})<${MAX_SHOWN})`
  const isRead = choice(`ISTEXT(${cell})`, isTrimmed(cell), choice(`ISLOGICAL(${cell})`, NEVER, isWhole))
  const isSure = `OR(ISTEXT(${cell}),${isSurelyNumber(cell)})`
  return choice(isRead, choice(text, choice(isSure, ALWAYS, UNKNOWN)), UNKNOWN)
}

/** TRUE and FALSE are neither numbers nor dates. */
const typed = (text: string, number: string, cell: string): string =>
  choice(
    `ISTEXT(${cell})`,
    choice(isTrimmed(cell), text, UNKNOWN),
    choice(`ISLOGICAL(${cell})`, ALWAYS, number),
  )

/** Programs count a text in different units, but never less than the engine. */
function textFormula({ minLength = 0, maxLength = 0 }: TextRule, cell: string): string {
  const length = `LEN(${cell})`
  const isLong = `OR(${length}>=${minLength * MOST_COMPOSED},${plainCount(cell, minLength)}>=${minLength})`
  return joined('OR', [
    minLength < 2 ? NEVER : isWrong(isLong, `${length}<${minLength}`),
    maxLength === 0
      ? NEVER
      : isWrong(`${length}<=${maxLength}`, `${plainCount(cell, maxLength + 1)}>${maxLength}`),
  ])
}

function listFormula({ options, separator }: ListRule, cell: string): string {
  const known = new Set(options.map((option) => option.trim()).filter((option) => option !== ''))
  if (separator !== undefined || known.size === 0) return UNKNOWN
  const isListed = isOneOf(cell, [...new Set([...known].flatMap((option) => [option, composed(option)]))])
  return isWrong(isListed, isPlain(cell))
}

/** Numbers of so many digits are equal for no program if they are not. */
const EXACT_DIGITS = 14
/** More than the share of a number by which programs call others equal. */
const NOISE = 1e-13

/**
 * A text is a sign, digits, and digits after a point; it is read as a whole number, and divided by a power of
 * ten. How many digits a number has is known by the length of its text, which is that of every country.
 */
function numberFormulas({ scale, minimum, maximum }: NumberRule, cell: string): string {
  const unsigned = `MID(${cell},1+ISNUMBER(FIND(LEFT(${cell}),"+-")),32767)`
  const digits = `SUBSTITUTE(${unsigned},".","",1)`
  const point = `FIND(".",${unsigned}&".")`
  const decimals = `MAX(0,LEN(${unsigned})-${point})`
  const isNumber = `IFERROR(AND(${isDigits(digits)},${point}>1,RIGHT(${unsigned})<>"."),FALSE)`
  const value = `VALUE(${digits})/10^${decimals}*IF(LEFT(${cell})="-",-1,1)`
  const shown = `LEN(ABS(${cell})&"")`
  const beyond = (one: string, isShort: string) => [
    beyondBound(one, '<', minimum, isShort),
    beyondBound(one, '>', maximum, isShort),
  ]
  const ofText = joined('OR', [
    scale === undefined ? NEVER : `${decimals}>${scale}`,
    ...beyond(value, `LEN(${digits})<=${EXACT_DIGITS}`),
  ])
  const isRound = `${shown}-LEN(INT(ABS(${cell}))&"")-1<=${scale}`
  const isUneven = `ABS(${cell}-ROUND(${cell},${scale}))>ABS(${cell})*${numeral(NOISE)}`
  const ofNumber = joined('OR', [
    scale === undefined ? NEVER : `IF(${isUneven},TRUE,IF(${isRound},FALSE,${UNKNOWN}))`,
    ...beyond(cell, `${shown}<=${EXACT_DIGITS + 1}`),
  ])
  const ofShown = choice(isShownAsNumber(cell), NEVER, UNKNOWN)
  return typed(choice(isNumber, ofText, ALWAYS), choice(ofNumber, ALWAYS, ofShown), cell)
}

/** Whether a number is beyond a bound; `sign` is how it then compares. */
function beyondBound(value: string, sign: '<' | '>', bound: number | undefined, isShort: string): string {
  if (bound === undefined) return NEVER
  if (!isExact(bound)) return UNKNOWN
  const isApart = `ABS(${value}-${numeral(bound)})>${numeral(Math.abs(bound) * NOISE)}`
  return `IF(OR(${isShort},${isApart}),${value}${sign}${numeral(bound)},${UNKNOWN})`
}

const isExact = (bound: number | undefined): boolean =>
  bound === undefined || plainDecimal(bound).replace(/^-?0*\.?0*|\./g, '').length <= EXACT_DIGITS

/** Before March 1900 programs number the days differently; no day is after 9999. */
const [FIRST_DAY, LAST_DAY] = [61, 2958465]
/** In days. A moment is read to the nearest second. */
const SECONDS = '0.0001'

/** Every part of a date has the digits of its format, and the day exists in the calendar. */
function dateFormulas({ format }: DateRule, cell: string): string {
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
  const isDate = joined('AND', [
    isDigits(digits),
    ...parts.map((part, index) => lengthOf(part, texts[index])),
    ...(parts.includes('yyyy') ? [`${year}>0`] : []),
    `${month}>0`,
    `${month}<13`,
    `${day}>0`,
    `${day}<=${lastDay}`,
  ])
  const isDay = `AND(${isShownAsDate(cell)},${cell}=INT(${cell}),${cell}>=${FIRST_DAY},${cell}<=${LAST_DAY})`
  const isOther = `OR(ABS(${cell}-ROUND(${cell},0))>${SECONDS},${isSurelyNumber(cell)})`
  const number = isWrong(isDay, parts.length === 3 ? isOther : NEVER)
  // Where the formula is an error, the text is no date.
  return typed(`NOT(IFERROR(${isDate},FALSE))`, number, cell)
}

/** Where the separator number `count` of a text is. */
const endOf = (cell: string, separator: string, count: number): string =>
  `FIND("${separator}",${cell}${count === 1 ? '' : `,1+${endOf(cell, separator, count - 1)}`})`

/** `d` and `M` take one or two digits. */
const lengthOf = (part: string, text: string): string =>
  part.length > 1 ? `LEN(${text})=${part.length}` : `OR(LEN(${text})=1,LEN(${text})=2)`
