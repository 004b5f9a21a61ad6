import type { CellFault } from '@veridict/contract/model/cell-error'
import type { NumberRule } from '@veridict/contract/model/rule'
import { type CellClassifier, classOfFault, FIRST_CLASS, NO_CLASS } from '#fast-path/cell-class.ts'
import { isRoundNumber, isShortenedNumber, withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'
import { corrected, type Diagnosis, open, Proof, unresolved } from '#causes/diagnosis.ts'
import { type NumberBody, readBody } from '#causes/number-body.ts'
import { unitNamed } from '#causes/unit-names.ts'
import { minutesIn } from '#causes/unit-writing.ts'
import type { CellCheck } from '#fast-path/fast-path.ts'
import { plainDecimal } from '#plain-decimal.ts'

export const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  '¥': 'JPY',
  jpy: 'JPY',
  cny: 'CNY',
  rmb: 'CNY',
  '₹': 'INR',
  inr: 'INR',
  rs: 'INR',
  'rs.': 'INR',
  chf: 'CHF',
  'fr.': 'CHF',
  a$: 'AUD',
  aud: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  cad: 'CAD',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  kr: 'kr',
  'kr.': 'kr',
  pln: 'PLN',
  zł: 'PLN',
  czk: 'CZK',
  kč: 'CZK',
  huf: 'HUF',
  ft: 'HUF',
  r$: 'BRL',
  brl: 'BRL',
  '₽': 'RUB',
  rub: 'RUB',
  '₩': 'KRW',
  krw: 'KRW',
  '₺': 'TRY',
  try: 'TRY',
  zar: 'ZAR',
  mxn: 'MXN',
  '₱': 'PHP',
  '฿': 'THB',
  '₪': 'ILS',
  '₴': 'UAH',
}

/** Of a number that is 0 or 1. */
const TRUTHS: Readonly<Record<string, string>> = { true: '1', yes: '1', false: '0', no: '0' }

/**
 * Letters with which statistics mark a number as confidential, estimated or unreliable, which are no degrees,
 * seconds or days then.
 */
const FLAGS: ReadonlySet<string> = new Set(['c', 'd', 'f', 's', 'u', 'U'])

// Written without \p{…}: V8 takes milliseconds to compile such a class, in every thread.
const SIGN = '[$\\u00a2-\\u00a5\\u0e3f\\u20a0-\\u20c0]'
const LETTER = '[A-Za-z\\u00c0-\\u024f]'
const CURRENCY_FIRST = new RegExp(
  `^(?<sign>[+-]?)\\s*(?<currency>[A-Za-z]{0,3}${SIGN}|[A-Za-z]{2,3}\\.?)\\s*(?=[-\\d.,(])(?<body>.*)$`,
)
const CURRENCY_LAST = new RegExp(`^(?<body>.*[\\d.,)-])\\s*(?<currency>${SIGN}|${LETTER}{2,7}\\.?)$`)
const UNIT = new RegExp(
  "^(?<body>[+-]?[\\d.,' \\u00a0]*\\d)\\s*" +
    '(?<unit>[A-Za-z°µμ][A-Za-zü²³/°µμ]*(?:\\s(?:oz|m|ft|ounces?)(?![A-Za-z]))?2?)' +
    '(?:\\.(?<comment>\\s[^\\d]*)?|(?<words>\\s[^\\d]*))?$',
)
/** After a unit, words that change the amount: 1 hour and a half is not 1. */
const FURTHER_AMOUNT = new RegExp(
  '\\p{N}|[+\\u00b1<>=]|(?<!\\p{L})(?:and|or|plus|minus|less|more|over|under|up|to|times?|x|hal(?:f|ves)|' +
    'thirds?|quarters?|fourths?|fifths?|eighths?|tenths?|dozens?|scores?|pairs?|couple|few|several|some|' +
    'double|twice|triple|hundreds?|thousands?|millions?|billions?|trillions?|zero|one|two|three|four|five|' +
    'six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)(?:teen|ty)|twenty|forty' +
    ')(?!\\p{L})',
  'iu',
)
/** Not 1,000/2000, which may be a thousand. */
const SHARE = /^(?<number>\d+(?:[.,]\d\d?)?) ?(?<sign>\/|out of|von|sur) ?(?<of>\d+)$/
/** Maximums of months and days: 3/12 and 12/31 may be dates. */
const OF_DATES: ReadonlySet<number> = new Set([12, 28, 29, 30, 31])
/** 3/4 is more often three quarters than 3 of 4. */
const MOST_OF_FRACTION = 4
const BRACKETS = /^\((?<body>[^()-]+)\)$/
const MINUS_LIKE = /^[\u2212\u2010-\u2014\ufe63\uff0d]\s*/
/** Digits from which on a double may show its rounding. */
const NOISY_DIGITS = 12
/** Characters from which on a number may be noise. */
const SHORTEST_NOISE = 10
const EXPONENT = /^[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/

const notANumber = unresolved('notANumber')
const tooSmall = unresolved('numberTooSmall')
const tooLarge = unresolved('numberTooLarge')
const tooManyDecimals = unresolved('tooManyDecimals', '', Proof.PointDecimals)

/**
 * Numbers with too many decimals that are neither noise nor trailing zeros: one class for those with one
 * meaning, and two for those with two (see `openPoint`), by whether the number without its point fits the
 * bounds.
 */
export const decimalsClassifier = ({
  minimum = -Infinity,
  maximum = Infinity,
}: NumberRule): CellClassifier => {
  return (code, bytes, from, to) => {
    if (code !== 'tooManyDecimals') return classOfFault(code)
    if (to - from >= SHORTEST_NOISE) return NO_CLASS
    const sign = bytes[from]
    const first = sign === PLUS || sign === MINUS ? from + 1 : from
    const last = bytes[to - 1] - ZERO
    // Not sure: padded, or with a trailing zero.
    if ((bytes[first] - ZERO) >>> 0 > 9 || (last - 1) >>> 0 > 8) return NO_CLASS
    const point = to - 4
    if (point <= first || point > first + 3 || bytes[point] !== POINT || bytes[first] === ZERO)
      return FIRST_CLASS
    let whole = 0
    for (let at = first; at < to; at++) if (at !== point) whole = whole * 10 + bytes[at] - ZERO
    if (sign === MINUS) whole = -whole
    return whole >= minimum && whole <= maximum ? FIRST_CLASS + 1 : FIRST_CLASS + 2
  }
}

/** What is wrong with a value of a number field that is not blank and no placeholder. */
export function numberDiagnoser(
  { scale, minimum, maximum }: NumberRule,
  check: CellCheck,
): (text: string, fault: CellFault) => Diagnosis {
  /** With a maximum of 100, 150% is too large, and no 1.5. */
  const isOfPercentages = maximum !== undefined && maximum >= 100
  const isNeverNegative = minimum !== undefined && minimum >= 0

  /** The number if the rule accepts it, if need be without decimals that mean nothing; else null. */
  function fitting(text: string): string | null {
    const fault = check(text)
    if (fault === null) return text
    if (fault.code !== 'tooManyDecimals' || scale === undefined) return null
    const short = withoutZeros(text, scale) ?? withoutNoise(text, scale)
    return short !== null && check(short) === null ? short : null
  }

  function ofDecimals(text: string): Diagnosis {
    if (scale === undefined) return tooManyDecimals
    const exact = withoutZeros(text, scale)
    const rounded = exact ?? withoutNoise(text, scale)
    const suggestion = rounded !== null && check(rounded) === null ? rounded : null
    const point = openPoint(text)
    if (point > 0) {
      // 253.874 is 253874 where other values of the column have points between thousands.
      const kind = exact === null ? 'tooManyDecimals' : 'trailingZeros'
      const whole = fitting(text.slice(0, point) + text.slice(point + 1))
      return open(kind, scale === 0 ? 'whole' : 'open', suggestion, [whole, suggestion], 0)
    }
    if (rounded === null) return tooManyDecimals
    return corrected(exact === null ? 'floatNoise' : 'trailingZeros', '', suggestion, Proof.PointDecimals)
  }

  function ofBody(kind: Diagnosis['kind'], detail: string, sign: string, body: NumberBody): Diagnosis {
    const point = fitting(sign + body.point)
    if (body.decimal === body.point) return corrected(kind, detail, point, body.proves)
    const decimal = fitting(sign + body.decimal)
    const readings = [decimal, point] as const
    // A plain number beside a unit; 1,234 where only one of its meanings fits the rule. An amount of money
    // has three decimals so rarely that 1.234 € is open.
    const isOpen = decimal !== null && point !== null && (body.form !== 'plain' || kind === 'currency')
    // Above the maximum, 1,000 is a thousand all the same, as long as the column does not say otherwise.
    const isThousands = body.form === 'open' && scale !== undefined && scale < 3
    const suggestion = isOpen ? null : body.form === 'plain' || isThousands ? point : (point ?? decimal)
    let ofRule = kind
    if (kind === 'numberOpen' && suggestion !== null) ofRule = decimal === null ? 'thousands' : 'decimalComma'
    return open(ofRule, detail, suggestion, readings, body.proves)
  }

  function ofExponent(sign: string, text: string): Diagnosis {
    const [digits, exponent] = text.split(/e/i)
    const power = Number(exponent)
    // 5.38E+7 may have been 53832885; 1.2345678E7 has all its digits, and so has 1e+05.
    const isWhole = isRoundNumber(text) || (power >= 0 && digits.replace(/[^\d]/g, '').length > power)
    if (!isWhole && !(power < 0 && text.includes('e'))) return unresolved('shortenedNumber')
    return corrected('exponent', '', fitting(sign + plainDecimal(Number(text))))
  }

  /** Of a place on a map, in a column with negative numbers: 48.1 W is -48.1. */
  const isPlace = (unit: string): boolean => /^[SW]$/.test(unit) && !isNeverNegative

  /** 7.5/10 is 7.5 where 10 is the maximum, and 1 h 50 min is 110 where only whole numbers are allowed. */
  function ofParts(text: string): Diagnosis | null {
    const share = SHARE.exec(text)?.groups
    if (share !== undefined && Number(share.of) === maximum && !mayBeDateOrFraction(share)) {
      const number = fitting(share.number.replace(',', '.'))
      return number === null ? null : corrected('numberForm', '', number)
    }
    const minutes = scale === 0 ? minutesIn(text) : null
    return minutes === null || check(minutes) !== null ? null : corrected('numberForm', 'minutes', minutes)
  }

  function mayBeDateOrFraction({ number, sign, of }: Record<string, string>): boolean {
    if (sign !== '/' || !/^\d+$/.test(number)) return false
    const isDate = OF_DATES.has(Number(of)) && (Number(number) <= 12 || Number(of) <= 12)
    return isDate || (Number(of) <= MOST_OF_FRACTION && scale !== 0)
  }

  /** TRUE is 1 where only 0 and 1 are allowed. */
  function ofTruth(text: string): Diagnosis | null {
    const word = text.toLowerCase()
    if (!Object.hasOwn(TRUTHS, word) || minimum !== 0 || maximum !== 1 || check('0.5') === null) return null
    return corrected('variant', '', TRUTHS[word])
  }

  function percent(sign: string, text: string): Diagnosis | null {
    const body = readBody(text)
    if (body === null || (sign === '-' && isNeverNegative)) return null
    if (body.decimal !== body.point) return unresolved('percent')
    const whole = fitting(sign + body.point)
    const share = fitting(sign + hundredth(body.point))
    // 0% is 0 either way.
    const isClear = whole === null || share === null || Number(whole) === 0
    if (whole === null && share !== null && isOfPercentages) return tooLarge
    const suggestion = isClear ? (whole ?? share) : null
    return corrected('percent', '', suggestion, body.proves)
  }

  return function diagnose(text, fault) {
    switch (fault.code) {
      case 'numberTooSmall':
        return tooSmall
      case 'numberTooLarge':
        return tooLarge
      case 'tooManyDecimals':
        return ofDecimals(text)
    }
    if (!/\d/.test(text)) return ofTruth(text) ?? notANumber
    if (isShortenedNumber(text)) return unresolved('shortenedNumber')
    const ofKnownParts = ofParts(text)
    if (ofKnownParts !== null) return ofKnownParts
    let rest = text
    let kind: Diagnosis['kind'] | null = null
    /** Of digits that are plain but for this. */
    let plainKind: Diagnosis['kind'] = 'numberForm'
    let detail = ''
    const plain = withPlainSpaces(rest)
    const bare = withoutQuotes(plain)
    if (bare !== rest) {
      const hasQuotes = bare !== plain
      rest = bare
      plainKind = hasQuotes ? 'quotes' : 'spaces'
    }
    let sign = ''
    const takeSign = (): void => {
      const brackets = BRACKETS.exec(rest)
      if (brackets !== null) {
        rest = brackets.groups!.body.trim()
        sign = '-'
        kind = 'negative'
      } else if (MINUS_LIKE.test(rest)) {
        rest = rest.replace(MINUS_LIKE, '')
        sign = '-'
        kind = 'negative'
      } else if (/^[+-]\s*[\d.,$\u00a2-\u00a5\u20a0-\u20c0]/.test(rest)) {
        sign = rest[0] === '-' ? '-' : ''
        rest = rest.slice(1).trim()
      } else if (/\d\s*[-\u2212]$/.test(rest)) {
        rest = rest.slice(0, -1).trim()
        sign = '-'
        kind = 'negative'
      }
    }
    takeSign()
    if (rest.endsWith('%')) return percent(sign, rest.slice(0, -1).trim()) ?? notANumber
    const currency = CURRENCY_FIRST.exec(rest) ?? CURRENCY_LAST.exec(rest)
    const code = currency && CURRENCY_NAMES[currency.groups!.currency.toLowerCase()]
    if (code != null && !(code === 'HUF' && currency!.groups!.currency.toLowerCase() === 'ft')) {
      rest = currency!.groups!.body.trim()
      if (sign === '') takeSign()
      kind = 'currency'
      detail = code
    } else {
      const unit = UNIT.exec(rest)
      const written = unit?.groups!.unit ?? ''
      const name = isPlace(written) || FLAGS.has(written) ? undefined : unitNamed(written)
      if (name !== undefined) {
        const words = unit!.groups!.words ?? unit!.groups!.comment
        if (words !== undefined && FURTHER_AMOUNT.test(words)) return notANumber
        rest = unit!.groups!.body.trim()
        kind = 'unit'
        detail = name
      }
    }
    // Without its unit or in plain form, (25.00) would only be too small.
    if (rest === '' || /\s[+-]/.test(rest) || (sign === '-' && isNeverNegative)) return notANumber
    if (EXPONENT.test(rest)) return ofExponent(sign, rest)
    const body = readBody(rest)
    if (body === null) return notANumber
    kind ??= body.form === 'plain' ? plainKind : KIND_OF_FORM[body.form]
    return ofBody(kind, detail, sign, body)
  }
}

const KIND_OF_FORM: Readonly<Record<Exclude<NumberBody['form'], 'plain'>, Diagnosis['kind']>> = {
  bare: 'numberForm',
  comma: 'decimalComma',
  grouped: 'thousands',
  open: 'numberOpen',
}

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/**
 * Where a number has one to three digits, of which the first is not zero, before the point and three after
 * it: its digits mean two numbers, with a point between thousands or without. 0 for any other number.
 */
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

/**
 * 0.07200000000000001 with three decimals is 0.072, and so is 0.0719999999999. null where the further digits
 * are more than the rounding of a double.
 */
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
