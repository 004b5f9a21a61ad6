import type { CauseKind } from '@veridict/contract/model/cause'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { NumberRule } from '@veridict/contract/model/rule'
import { isRoundNumber, isShortenedNumber, withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'
import { corrected, type Diagnosis, open, Proof, unresolved } from '#causes/diagnosis.ts'
import { firstMeaning, type Grammar } from '#causes/grammar.ts'
import { type NumberBody, readBody } from '#causes/number-body.ts'
import { unitNamed } from '#causes/unit-names.ts'
import type { CellCheck } from '#fast-path/fast-path.ts'
import { plainDecimal } from '#plain-decimal.ts'
import currencies from '#known/currencies.json' with { type: 'json' }

/** Currencies as they are written, in small letters → one name each. */
export const CURRENCY_NAMES: Readonly<Record<string, string>> = currencies

/** Of a number that is 0 or 1. */
const TRUTHS = new Map([
  ['true', '1'],
  ['yes', '1'],
  ['false', '0'],
  ['no', '0'],
])

/** Marks of statistics for confidential, estimated or unreliable numbers, not degrees, seconds or days. */
const FLAGS: ReadonlySet<string> = new Set(['c', 'd', 'f', 's', 'u', 'U'])

// Written without \p{…}: V8 takes milliseconds to compile such a class, in every thread.
const CURRENCY_SIGN = '[$\\u00a2-\\u00a5\\u0e3f\\u20a0-\\u20c0]'
/** What is around digits, and what it says of them. The first form that fits counts. */
const SIGNS: readonly { form: RegExp; sign: '' | '-'; kind: CauseKind | null }[] = [
  { form: /^\((?<body>[^()-]+)\)$/, sign: '-', kind: 'negative' },
  { form: /^[\u2212\u2010-\u2014\ufe63\uff0d](?<body>.*)$/, sign: '-', kind: 'negative' },
  { form: new RegExp(`^-(?<body>\\s*(?:[\\d.,]|${CURRENCY_SIGN}).*)$`), sign: '-', kind: null },
  { form: new RegExp(`^\\+(?<body>\\s*(?:[\\d.,]|${CURRENCY_SIGN}).*)$`), sign: '', kind: null },
  { form: /^(?<body>.*\d)\s*[-\u2212]$/, sign: '-', kind: 'negative' },
]
const CURRENCIES = [
  `^(?<name>[A-Za-z]{0,3}${CURRENCY_SIGN}|[A-Za-z]{2,3}\\.?)\\s*(?=[-\\d.,(])(?<body>.*)$`,
  `^(?<body>.*[\\d.,)-])\\s*(?<name>${CURRENCY_SIGN}|[A-Za-z\\u00c0-\\u024f]{2,7}\\.?)$`,
].map((form) => new RegExp(form))
const UNIT = new RegExp(
  "^(?<body>[+-]?[\\d.,' \\u00a0]*\\d)\\s*" +
    '(?<name>[A-Za-z°µμ][A-Za-zü²³/°µμ]*(?:\\s(?:oz|m|ft|ounces?)(?![A-Za-z]))?2?)\\.?$',
)
/** Digits from which on a double may show its rounding. */
const NOISY_DIGITS = 12
/** Characters from which on a number may be noise. */
const SHORTEST_NOISE = 10
const EXPONENT = /^[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/

const notANumber = unresolved('notANumber')
const tooSmall = unresolved('numberTooSmall')
const tooLarge = unresolved('numberTooLarge')
const tooManyDecimals = unresolved('tooManyDecimals', '', Proof.PointDecimals)

/** What is wrong with a value of a number field that is not blank and no placeholder. */
export function numberDiagnoser(
  rule: NumberRule,
  check: CellCheck,
): (text: string, fault: CellFault) => Diagnosis {
  const { scale, minimum, maximum } = rule
  const isNeverNegative = minimum !== undefined && minimum >= 0
  const fits = (text: string) => fitting(text, scale, check)
  const accepts = (text: string) => check(text) === null
  const isTruth = minimum === 0 && maximum === 1 && !accepts('0.5')
  const grammars: readonly (readonly Grammar[])[] = [
    [{ kind: 'variant', tries: (text) => (isTruth ? [TRUTHS.get(text.toLowerCase()) ?? ''] : []) }],
  ]
  return function diagnose(text, { code }) {
    if (code === 'numberTooSmall') return tooSmall
    if (code === 'numberTooLarge') return tooLarge
    if (code === 'tooManyDecimals')
      return scale === undefined ? tooManyDecimals : diagnoseDecimals(text, scale, check)
    const meaning = firstMeaning(grammars, text, accepts)
    if (meaning !== null) return meaning
    if (!/\d/.test(text)) return notANumber
    if (isShortenedNumber(text)) return unresolved('shortenedNumber')
    const written = readAffixes(withoutQuotes(withPlainSpaces(text)), isNeverNegative)
    // Without its unit or in plain form, (25.00) would only be too small.
    if (written === null || (written.sign === '-' && isNeverNegative)) return notANumber
    if (written.kind !== 'percent' && EXPONENT.test(written.digits)) return diagnoseExponent(written, fits)
    const body = readBody(written.digits)
    if (body === null) return notANumber
    if (written.kind === 'percent') return diagnosePercent(written.sign, body, maximum, fits)
    const kind = written.kind ?? KIND_OF_FORM[body.form]
    return diagnoseAffixed({ ...written, kind }, body, scale, fits)
  }
}

/** The number if the rule accepts it, if need be without decimals that mean nothing; else null. */
function fitting(text: string, scale: number | undefined, check: CellCheck): string | null {
  const fault = check(text)
  if (fault === null) return text
  if (fault.code !== 'tooManyDecimals' || scale === undefined) return null
  const short = withoutZeros(text, scale) ?? withoutNoise(text, scale)
  return short !== null && check(short) === null ? short : null
}

function diagnoseDecimals(text: string, scale: number, check: CellCheck): Diagnosis {
  const exact = withoutZeros(text, scale)
  const rounded = exact ?? withoutNoise(text, scale)
  const suggestion = rounded !== null && check(rounded) === null ? rounded : null
  const point = openPoint(text)
  if (point > 0) {
    // 253.874 is 253874 where other values of the column have points between thousands.
    const kind = exact === null ? 'tooManyDecimals' : 'trailingZeros'
    const whole = fitting(text.slice(0, point) + text.slice(point + 1), scale, check)
    return open(kind, scale === 0 ? 'whole' : 'open', suggestion, [whole, suggestion], 0)
  }
  if (rounded === null) return tooManyDecimals
  return corrected(exact === null ? 'floatNoise' : 'trailingZeros', '', suggestion, Proof.PointDecimals)
}

/** Digits with what was around them. `kind` is null for a sign alone, or for nothing. */
type Written = { sign: '' | '-'; kind: CauseKind | null; detail: string; digits: string }

/** Takes off what is around digits; null where a sign is left. */
function readAffixes(text: string, isNeverNegative: boolean): Written | null {
  const written: Written = { sign: '', kind: null, detail: '', digits: text }
  if (!/^[\d.,]+$/.test(text)) takeSign(written)
  if (/^[\d.,+-]+$/.test(written.digits)) return written
  if (written.digits.endsWith('%')) {
    const digits = written.digits.slice(0, -1).trim()
    return { ...written, kind: 'percent', digits }
  }
  const money = CURRENCIES.map((form) => form.exec(written.digits)?.groups).find(
    (found) => found !== undefined,
  )
  const currency = money && CURRENCY_NAMES[money.name.toLowerCase()]
  const measured = UNIT.exec(written.digits)?.groups
  // Of a place on a map, in a column with negative numbers: 48.1 W is -48.1.
  const isPlace = /^[SW]$/.test(measured?.name ?? '') && !isNeverNegative
  const unit =
    measured === undefined || isPlace || FLAGS.has(measured.name) ? undefined : unitNamed(measured.name)
  if (currency !== undefined) {
    written.digits = money!.body.trim()
    if (written.sign === '') takeSign(written)
    Object.assign(written, { kind: 'currency', detail: currency })
  } else if (unit !== undefined)
    Object.assign(written, { kind: 'unit', detail: unit, digits: measured!.body.trim() })
  return written.digits === '' || /\s[+-]/.test(written.digits) ? null : written
}

function takeSign(written: Written): void {
  for (const { form, sign, kind } of SIGNS) {
    const body = form.exec(written.digits)?.groups!.body
    if (body !== undefined) {
      Object.assign(written, { sign, kind, digits: body.trim() })
      return
    }
  }
}

type Fits = (text: string) => string | null

function diagnoseAffixed(
  { sign, kind, detail }: Written & { kind: CauseKind },
  body: NumberBody,
  scale: number | undefined,
  fits: Fits,
): Diagnosis {
  const point = fits(sign + body.point)
  if (body.decimal === body.point) return corrected(kind, detail, point, body.proves)
  const decimal = fits(sign + body.decimal)
  const readings = [decimal, point] as const
  // A plain number beside a unit; 1,234 if one meaning fits the rule. An amount of money rarely has three
  // decimals, so 1.234 € is open.
  const isOpen = decimal !== null && point !== null && (body.form !== 'plain' || kind === 'currency')
  // Above the maximum, 1,000 is a thousand all the same, as long as the column does not say otherwise.
  const isThousands = body.form === 'open' && scale !== undefined && scale < 3
  const suggestion = isOpen ? null : body.form === 'plain' || isThousands ? point : (point ?? decimal)
  const isProved = kind === 'numberOpen' && suggestion !== null
  const ofRule = isProved ? (decimal === null ? 'thousands' : 'decimalComma') : kind
  return open(ofRule, detail, suggestion, readings, body.proves)
}

function diagnoseExponent({ sign, digits: text }: Written, fits: Fits): Diagnosis {
  const [digits, exponent] = text.split(/e/i)
  const power = Number(exponent)
  // 5.38E+7 may have been 53832885; 1.2345678E7 has all its digits, and so has 1e+05.
  const isWhole = isRoundNumber(text) || (power >= 0 && digits.replace(/[^\d]/g, '').length > power)
  if (!isWhole && !(power < 0 && text.includes('e'))) return unresolved('shortenedNumber')
  return corrected('exponent', '', fits(sign + plainDecimal(Number(text))))
}

function diagnosePercent(
  sign: string,
  { decimal, point, proves }: NumberBody,
  maximum: number | undefined,
  fits: Fits,
): Diagnosis {
  if (decimal !== point) return unresolved('percent')
  const whole = fits(sign + point)
  const share = fits(sign + hundredth(point))
  // With a maximum of 100, 150% is too large, and no 1.5.
  if (whole === null && share !== null && maximum !== undefined && maximum >= 100) return tooLarge
  // 0% is 0 either way.
  const isClear = whole === null || share === null || Number(whole) === 0
  return corrected('percent', '', isClear ? (whole ?? share) : null, proves)
}

const KIND_OF_FORM: Readonly<Record<NumberBody['form'], CauseKind>> = {
  plain: 'numberForm',
  bare: 'numberForm',
  comma: 'decimalComma',
  grouped: 'thousands',
  open: 'numberOpen',
}

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Where the point of 1.000 to 999.999 is: it may stand between thousands. 0 for any other number. */
function openPoint(text: string): number {
  const point = text.length - 4
  const code = text.charCodeAt(0)
  const first = code === PLUS || code === MINUS ? 1 : 0
  if (point <= first || point > first + 3 || text.charCodeAt(point) !== POINT) return 0
  return text.charCodeAt(first) === ZERO ? 0 : point
}

/** 12.500 with two decimals is 12.50; null where digits other than zero would go. */
function withoutZeros(text: string, scale: number): string | null {
  const point = text.indexOf('.')
  for (let at = point + 1 + scale; at < text.length; at++) if (text[at] !== '0') return null
  return text.slice(0, scale === 0 ? point : point + 1 + scale)
}

/** 0.07199999999999999 and 0.07200000000000001 are 0.072 with three decimals; null if it is no rounding. */
function withoutNoise(text: string, scale: number): string | null {
  if (text.length < SHORTEST_NOISE) return null
  const digits = text.replace(/^[+-]?0*\.?0*/, '').replace('.', '').length
  if (digits < NOISY_DIGITS) return isSinglePrecision(text, scale)
  const point = text.indexOf('.')
  const further = text.slice(point + 1 + scale)
  if (/^0{5}/.test(further)) return trimmedZeros(text.slice(0, scale === 0 ? point : point + 1 + scale))
  if (/^9{5}/.test(further))
    return trimmedZeros(plainDecimal(Number(Number(text).toFixed(Math.min(scale, 100)))))
  return isSinglePrecision(text, scale)
}

/** 12.300000190734863 is 12.3 in single precision. */
function isSinglePrecision(text: string, scale: number): string | null {
  const value = Number(text)
  if (Math.fround(value) !== value) return null
  const short = plainDecimal(Number(value.toPrecision(7)))
  return Math.fround(Number(short)) === value && (short.split('.')[1]?.length ?? 0) <= scale ? short : null
}

/** Without a regular expression, which would try each run of zeros from each of its zeros. */
function trimmedZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** The same digits with the point two places to the left. */
function hundredth(text: string): string {
  const [whole, fraction = ''] = text.split('.')
  const digits = whole.padStart(3, '0')
  return trimmedZeros(`${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`)
}
