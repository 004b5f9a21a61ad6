import type { Field } from '@veridict/contract/model/field'
import type { DateRule, ListRule, NumberRule, PatternRule, TextRule } from '@veridict/contract/model/rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import {
  ALWAYS,
  allOf,
  choice,
  exactly,
  isAnyFilled,
  isBlank,
  isDigits,
  isOneOf,
  isPlain,
  isShownAsDate,
  isShownAsNumber,
  isTrimmed,
  joined,
  NEVER,
  numeral,
  plainCount,
  type Told,
  UNKNOWN,
} from '#formulas/formula-text.ts'
import { patternFormula } from '#formulas/pattern-formula.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { composed, MOST_COMPOSED } from '#rules/composed.ts'

/** Excel's limit on the length of a formula, less the characters by which ours begin. */
const MAX_FORMULA = 8192 - 32

/** What formulas know of values: of trimmed texts, of numbers (also dates), and of TRUE and FALSE. */
type ToldOfValue = { readonly text: Told; readonly number: Told; readonly logical: Told }

export type FormulaScope = {
  /** The cells of the table in the row. */
  readonly row: string
  /** Whether required cells may be blank in some rows. */
  readonly hasExemption: boolean
  readonly blankTexts: readonly string[]
}

/**
 * What formulas know of a cell of a field. `cell` is its reference, such as `$A2`. Formulas compute the same
 * in every country and in LibreOffice: they neither read nor write a number with decimals as text.
 */
export function cellFormulas(field: Field, cell: string, scope: FormulaScope): Told {
  const { text, number, logical } = valueFormulas(field, cell)
  const blankTexts = scope.blankTexts.map((one) => one.trim())
  const isBlankText = joined('AND', [`ISTEXT(${cell})`, isOneOf(cell, blankTexts)])
  const blank = joined('OR', [isBlank(cell), blankTexts.length === 0 ? NEVER : isBlankText])
  // The number 9 may be the text 9, which counts as blank, and so may #N/A and TRUE.
  const mayCount = blankTexts.some((one) => /\d|#|TRUE|FALSE/.test(one))
  const [ofNumber, ofLogical] = mayCount ? [UNKNOWN, UNKNOWN] : [number, logical]
  const blankIsWrong = field.required && !scope.hasExemption ? isAnyFilled(scope.row) : NEVER
  const whole = (known: keyof Told, ofError: string, ofBlank: string) => {
    const ofText = choice(isTrimmed(cell), text[known])
    const ofOther = choice(`ISLOGICAL(${cell})`, ofLogical[known], ofNumber[known])
    const filled = choice(`ISTEXT(${cell})`, ofText, ofOther)
    return bounded(choice(`ISERROR(${cell})`, ofError, choice(blank, ofBlank, filled)))
  }
  const isKnownRight = text.right !== NEVER || ofNumber.right !== NEVER
  return {
    right: isKnownRight ? whole('right', NEVER, field.required ? NEVER : ALWAYS) : NEVER,
    wrong: whole('wrong', mayCount ? NEVER : ALWAYS, blankIsWrong),
  }
}

const bounded = (formula: string): string => (formula.length > MAX_FORMULA ? NEVER : formula)

function valueFormulas({ rule }: Field, cell: string): ToldOfValue {
  switch (rule.type) {
    case 'text':
      return asText(cell, checked(textFormula(rule, cell), rule))
    case 'pattern':
      return asText(cell, checked(patternFormula(rule.pattern, cell), rule))
    case 'list':
      return asText(cell, listFormula(rule, cell))
    case 'number':
      return numberFormulas(rule, cell)
    case 'date':
      return dateFormulas(rule, cell)
  }
}

/** No formula knows check digits. */
const checked = (told: Told, { checkDigit }: TextRule | PatternRule): Told =>
  checkDigit === undefined ? told : { ...told, right: NEVER }

/** Digits of a whole number that every program shows. */
const MAX_SHOWN = '1E+11'

/** A whole number is read as its digits, if it is no date. */
function asText(cell: string, text: Told): ToldOfValue {
  if (text.right === ALWAYS) return { text, number: text, logical: text }
  const isWhole = `AND(${isShownAsNumber(cell)},${cell}=INT(${cell}),ABS(${cell})<${MAX_SHOWN})`
  // A copy of an uploaded workbook leaves out formulas that ask for formats.
  return { text, number: { right: choice(isWhole, text.right), wrong: NEVER }, logical: UNKNOWN }
}

/** Programs count a text in different units, but never less than the engine. */
function textFormula({ minLength = 0, maxLength = 0 }: TextRule, cell: string): Told {
  const length = `LEN(${cell})`
  return allOf([
    minLength < 2
      ? { right: ALWAYS, wrong: NEVER }
      : {
          right: `OR(${length}>=${minLength * MOST_COMPOSED},${plainCount(cell)}>=${minLength})`,
          wrong: `${length}<${minLength}`,
        },
    maxLength === 0
      ? { right: ALWAYS, wrong: NEVER }
      : {
          right: `${length}<=${maxLength}`,
          wrong: `IF(${length}>${maxLength},${plainCount(cell, maxLength + 1)}>${maxLength})`,
        },
  ])
}

function listFormula({ options, separator }: ListRule, cell: string): Told {
  const known = new Set(options.map((option) => option.trim()).filter((option) => option !== ''))
  if (separator !== undefined || known.size === 0) return UNKNOWN
  const isListed = isOneOf(cell, [...new Set([...known].flatMap((option) => [option, composed(option)]))])
  return { right: isListed, wrong: `IF(${isListed},FALSE,${isPlain(cell)})` }
}

/** Different numbers of so many digits are different doubles. */
const EXACT_DIGITS = 15
/** One more than a number between 1 and 10 has: to 14, programs round 9.99999999999999 up. */
const DECIMALS = 15
/** More than the share of a number that rounding to these digits changes. */
const NOISE = 1e-13
const NOISE_TEXT = '1E-13'

/**
 * A text is a sign, digits, and digits after a point; it is read as a whole number, and divided by a power of
 * ten. LibreOffice calls numbers equal that differ in their last digits, so these are compared as texts.
 */
function numberFormulas({ scale, minimum, maximum }: NumberRule, cell: string): ToldOfValue {
  const unsigned = `MID(${cell},1+ISNUMBER(FIND(LEFT(${cell}),"+-")),32767)`
  const digits = `SUBSTITUTE(${unsigned},".","",1)`
  const point = `FIND(".",${unsigned}&".")`
  const decimals = `MAX(0,LEN(${unsigned})-${point})`
  const isNumber = `IFERROR(AND(${isDigits(digits)},${point}>1,RIGHT(${unsigned})<>"."),FALSE)`
  const value = `VALUE(${digits})/10^${decimals}*IF(LEFT(${cell})="-",-1,1)`
  const isExact = `LEN(${digits})<=${EXACT_DIGITS}`
  const ranges = [rangeTold('<', minimum), rangeTold('>', maximum)]
  const ofText = allOf([
    ...(scale === undefined ? [] : [exactly(`${decimals}<=${scale}`)]),
    ...ranges.map((told) => told(value)).map((told) => (told.right === ALWAYS ? told : where(isExact, told))),
  ])
  const ofNumber = allOf([
    { right: isShownAsNumber(cell), wrong: NEVER },
    ...(scale === undefined ? [] : [scaleTold(cell, scale)]),
    ...ranges.map((told) => told(cell)),
  ])
  return {
    text: { right: choice(isNumber, ofText.right), wrong: choice(isNumber, ofText.wrong, ALWAYS) },
    number: ofNumber,
    logical: { right: NEVER, wrong: ALWAYS },
  }
}

/** What is known only under a condition. */
const where = (condition: string, { right, wrong }: Told): Told => ({
  right: choice(condition, right),
  wrong: choice(condition, wrong),
})

/** All digits of the number beyond the scale are zeros. */
function scaleTold(cell: string, scale: number): Told {
  const power = `INT(LOG10(ABS(${cell})*0.99999999999999))`
  const zeros = `MAX(0,${DECIMALS - scale}-${power})`
  const digits = `FIXED(ABS(${cell})/10^${power},${DECIMALS},TRUE)`
  return {
    right: `IF(${cell}=0,TRUE,RIGHT(${digits},${zeros})=REPT("0",${zeros}))`,
    wrong: `ABS(${cell}-ROUND(${cell},${scale}))>ABS(${cell})*${NOISE_TEXT}`,
  }
}

/** What formulas know of a number and a bound; `sign` is how a number beyond it compares. */
function rangeTold(sign: '<' | '>', bound: number | undefined): (value: string) => Told {
  if (bound === undefined) return () => ({ right: ALWAYS, wrong: NEVER })
  if (digitsOf(bound) > EXACT_DIGITS) return () => UNKNOWN
  const beyond = (sign === '<' ? -1 : 1) * Math.abs(bound) * NOISE
  const [inner, outer] = [bound - beyond, bound + beyond].map(numeral)
  const power = bound === 0 ? 0 : Math.floor(Math.log10(Math.abs(bound)))
  const shown = (value: string) => `FIXED(${value}/10^${power},${DECIMALS},TRUE)`
  return (value) => ({
    right: `OR(${inner}${sign}${value},${shown(value)}=${shown(numeral(bound))})`,
    wrong: `${value}${sign}${outer}`,
  })
}

const digitsOf = (bound: number): number => plainDecimal(bound).replace(/^-?0*\.?0*|\./g, '').length

/** Before March 1900 programs number the days differently; no day is after 9999. */
const [FIRST_DAY, LAST_DAY] = [61, 2958465]
/** In days. A moment is read to the nearest second. */
const SECONDS = '0.0001'

/** Every part of a date has the digits of its format, and the day exists in the calendar. */
function dateFormulas({ format }: DateRule, cell: string): ToldOfValue {
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
  const text = exactly(
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
  const isDay = `AND(${isShownAsDate(cell)},${cell}=INT(${cell}),${cell}>=${FIRST_DAY},${cell}<=${LAST_DAY})`
  return {
    text,
    number: { right: isDay, wrong: parts.length === 3 ? `ABS(${cell}-ROUND(${cell},0))>${SECONDS}` : NEVER },
    logical: { right: NEVER, wrong: ALWAYS },
  }
}

/** Where the separator number `count` of a text is. */
const endOf = (cell: string, separator: string, count: number): string =>
  `FIND("${separator}",${cell}${count === 1 ? '' : `,1+${endOf(cell, separator, count - 1)}`})`

/** `d` and `M` take one or two digits. */
const lengthOf = (part: string, text: string): string =>
  part.length > 1 ? `LEN(${text})=${part.length}` : `OR(LEN(${text})=1,LEN(${text})=2)`
