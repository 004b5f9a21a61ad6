import type { Field } from '@veridict/contract/model/field'
import type { DateRule, NumberRule, Rule, TextRule } from '@veridict/contract/model/rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import {
  ALWAYS,
  BEYOND,
  choice,
  fitting,
  isNoItem,
  isOneOf,
  isWrong,
  joined,
  NEVER,
  not,
  numeral,
  plainCount,
  say,
  UNKNOWN,
} from '#formulas/formula-text.ts'
import { patternFormula } from '#formulas/pattern-formula.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { MOST_COMPOSED } from '#rules/composed.ts'

export type FormulaScope = {
  /** Whether the row has any value. */
  readonly isRecord: string
  /** Whether required cells may be blank in the row. */
  readonly isExempt: string
  readonly blankTexts: readonly string[]
  /** Whether it has to know which value a cell has that is right, because rules read it. */
  readonly isRead?: boolean
}

/**
 * TRUE where the engine surely refuses the cell; FALSE where it surely accepts it, if it shows no date or the
 * field is one of dates; else an error.
 */
export function cellFormula({ rule, required }: Field, cell: string, scope: FormulaScope): string {
  const value = wrongValue(rule, cell, scope.isRead)
  // A text with white space around it may be blank.
  const filled = required && value === NEVER ? choice(say('isTrimmed', { cell }), NEVER, UNKNOWN) : value
  // The number 9 may be the text 9, which counts as blank, and so may #N/A and TRUE.
  const mayCount = scope.blankTexts.some((one) => /\d|#|TRUE|FALSE/.test(one))
  const ofFilled = mayCount ? choice(`ISTEXT(${cell})`, filled, UNKNOWN) : filled
  const ofBlank = required ? choice(scope.isRecord, not(scope.isExempt), UNKNOWN) : NEVER
  const ofValue = choice(blankFormula(cell, scope.blankTexts), ofBlank, ofFilled)
  return fitting(choice(`ISERROR(${cell})`, mayCount ? UNKNOWN : ALWAYS, ofValue))
}

/** Whether a cell that is no error is blank. */
export function blankFormula(cell: string, blankTexts: readonly string[]): string {
  const texts = blankTexts.map((one) => one.trim())
  const isBlank = say('isBlank', { cell })
  // Of ASCII, NFC makes only these of other characters.
  if (texts.some((text) => /[K;`\x80-\uffff]/.test(text)))
    return choice(isBlank, ALWAYS, choice(`ISTEXT(${cell})`, not(isNoItem(cell, texts))))
  const isText = texts.length === 0 ? NEVER : joined('AND', [`ISTEXT(${cell})`, isOneOf(cell, texts)])
  return joined('OR', [isBlank, isText])
}

/** Whether a value is wrong, of a cell that is neither blank nor an error. */
function wrongValue(rule: Rule, cell: string, isRead = false): string {
  switch (rule.type) {
    case 'text':
      return asText(checked(textFormula(rule, cell), rule), cell, isRead)
    case 'pattern': {
      const { wrong, isNeverNumber } = patternFormula(rule.pattern, cell)
      return asText(checked(wrong, rule), cell, isRead, isNeverNumber)
    }
    case 'list': {
      const isNeverNumber = !rule.options.some((option) => /\d|TRUE|FALSE/.test(option))
      const wrong = rule.separator === undefined ? isNoItem(cell, rule.options) : BEYOND
      return asText(wrong, cell, isRead, isNeverNumber)
    }
    case 'number':
      return numberFormulas(rule, cell)
    case 'date':
      return dateFormulas(rule, cell)
  }
}

/** No formula knows check digits. */
const checked = (text: string, { checkDigit }: Pick<TextRule, 'checkDigit'>): string =>
  checkDigit === undefined ? text : choice(text, ALWAYS, BEYOND)

/**
 * A whole number is read as its digits, if it is no date; if it may be one, its digits are not wrong.
 * `isNeverNumber`: no number, date, TRUE or FALSE is right, whatever it shows.
 */
function asText(text: string, cell: string, isRead: boolean, isNeverNumber = false): string {
  if (text === BEYOND || (text === NEVER && !isRead)) return text
  const [isText, isTrimmed] = [`ISTEXT(${cell})`, say('isTrimmed', { cell })]
  if (isNeverNumber) return choice(isText, choice(isTrimmed, text, UNKNOWN), ALWAYS)
  const ofOther = choice(`ISLOGICAL(${cell})`, NEVER, say('isWhole', { cell }))
  const isSure = joined('OR', [isText, say('isSurelyNumber', { cell })])
  return choice(choice(isText, isTrimmed, ofOther), choice(text, choice(isSure, ALWAYS, UNKNOWN)), UNKNOWN)
}

/** TRUE and FALSE are neither numbers nor dates. */
const typed = (text: string, number: string, cell: string): string =>
  choice(
    `ISTEXT(${cell})`,
    choice(say('isTrimmed', { cell }), text, UNKNOWN),
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

/** Numbers of so many digits are equal for no program if they are not. */
const EXACT_DIGITS = 14
/** More than the share of a number by which programs call others equal. */
const NOISE = 1e-13

function numberFormulas({ scale, minimum, maximum }: NumberRule, cell: string): string {
  const isBeyond = (value: string, isSure: string) => [
    beyondBound(value, '<', minimum, isSure),
    beyondBound(value, '>', maximum, isSure),
  ]
  const ofText = joined('OR', [
    scale === undefined ? NEVER : `${say('decimals', { cell })}>${scale}`,
    ...isBeyond(say('textNumber', { cell }), say('isShort', { cell })),
  ])
  const ofNumber = joined('OR', [
    scale === undefined ? NEVER : say('isUneven', { cell, scale }),
    ...isBeyond(cell, `${say('shown', { cell })}<=${EXACT_DIGITS + 1}`),
  ])
  const ofDay = choice(say('isDay', { cell }), ALWAYS, UNKNOWN)
  const ofOther = choice(ofNumber, ALWAYS, choice(say('isShownAsNumber', { cell }), NEVER, ofDay))
  return typed(choice(say('isNumber', { cell }), ofText, ALWAYS), ofOther, cell)
}

/** Whether a number is beyond a bound; `sign` is how it then compares. */
function beyondBound(value: string, sign: '<' | '>', bound: number | undefined, isSure: string): string {
  if (bound === undefined) return NEVER
  const digits = plainDecimal(bound).replace(/^-?0*\.?0*|\./g, '')
  if (digits.length > EXACT_DIGITS) return BEYOND
  const noise = numeral(Math.abs(bound) * NOISE)
  return say('isBeyond', { value, sign, bound: numeral(bound), noise, isSure })
}

/** Every part of a date has the digits of its format, and the day exists in the calendar. */
function dateFormulas({ format }: DateRule, cell: string): string {
  const { parts, texts, separator, places } = datePlaces(format, cell)
  const digits = parts.slice(1).reduce((rest) => `SUBSTITUTE(${rest},"${separator}","",1)`, cell)
  const isDate = joined('AND', [
    say('isDigits', { digits }),
    ...parts.map((part, index) => lengthOf(part, texts[index])),
    ...(parts.includes('yyyy') ? [`${places.year}>0`] : []),
    say('isInCalendar', places),
  ])
  const isMoment = say('isMoment', { cell })
  const isOther = parts.length === 1 ? isMoment : `OR(${isMoment},${say('isSurelyNumber', { cell })})`
  // Where the formula is an error, the text is no date.
  return typed(`NOT(IFERROR(${isDate},FALSE))`, isWrong(say('isDay', { cell }), isOther), cell)
}

/** The parts of a date in a text, and their values; of what the format lacks those of a leap year. */
export function datePlaces(format: string, cell: string) {
  const { parts, separator } = parseDateFormat(format)!
  const ends = parts.map((_, index) => (index === 0 ? '0' : endOf(cell, separator, index)))
  const texts = parts.map((_, index) => {
    const length = index + 1 < parts.length ? `${ends[index + 1]}-${ends[index]}-1` : '99'
    return parts.length === 1 ? cell : `MID(${cell},${ends[index]}+1,${length})`
  })
  const valueOf = (unit: string, missing: number) => {
    const at = parts.findIndex((part) => part.startsWith(unit))
    return at < 0 ? missing : `VALUE(${texts[at]})`
  }
  const places = { cell, day: valueOf('d', 1), month: valueOf('M', 1), year: valueOf('y', 2000) }
  return { parts, texts, separator, places }
}

/** Where the separator number `count` of a text is. */
const endOf = (cell: string, separator: string, count: number): string =>
  `FIND("${separator}",${cell}${count === 1 ? '' : `,1+${endOf(cell, separator, count - 1)}`})`

/** `d` and `M` take one or two digits. */
const lengthOf = (part: string, text: string): string =>
  part.length > 1 ? `LEN(${text})=${part.length}` : `OR(LEN(${text})=1,LEN(${text})=2)`
