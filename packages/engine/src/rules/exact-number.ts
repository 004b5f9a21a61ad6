import { plainDecimal } from '#plain-decimal.ts'

/**
 * `digits` × 10^-`scale`, exact at any number of digits. Equal numbers have equal parts: no zeros at the end
 * of decimals, no negative zero, a bigint only beyond a double's integers.
 */
export type ExactNumber = { readonly digits: number | bigint; readonly scale: number }

export const ZERO: ExactNumber = { digits: 0, scale: 0 }

/** Digits of an integer that a double surely holds. */
const SAFE_DIGITS = 15

/** `text` must be `[+-]?digits[.digits]`. */
export function parseExact(text: string): ExactNumber {
  const point = text.indexOf('.')
  const all = point < 0 ? text : text.slice(0, point) + text.slice(point + 1)
  return exact(
    all.length <= SAFE_DIGITS ? Number(all) : BigInt(all.replace(/^\+/, '')),
    point < 0 ? 0 : text.length - point - 1,
  )
}

/** Of a number in JSON: the shortest decimal that gives the same double. */
export const exactOf = (value: number): ExactNumber => parseExact(plainDecimal(value))

export function exact(digits: number | bigint, scale: number): ExactNumber {
  if (typeof digits === 'bigint') return exactBig(digits, scale)
  let rest = digits
  let decimals = scale
  for (; decimals > 0 && rest % 10 === 0; decimals--) rest /= 10
  return { digits: rest === 0 ? 0 : rest, scale: decimals }
}

/** Zeros are counted in the text: dividing by ten, one by one, would take a second for a long number. */
function exactBig(digits: bigint, scale: number): ExactNumber {
  if (digits === 0n) return ZERO
  const text = String(digits)
  let zeros = 0
  while (zeros < scale && text[text.length - 1 - zeros] === '0') zeros++
  const rest = zeros === 0 ? digits : BigInt(text.slice(0, text.length - zeros))
  return { digits: BigInt.asIntN(54, rest) === rest ? Number(rest) : rest, scale: scale - zeros }
}

/** The digits of a number with more decimals than it needs. */
function digitsAt(number: ExactNumber, scale: number): number | bigint {
  const { digits } = number
  if (number.scale === scale) return digits
  const factor = 10 ** (scale - number.scale)
  const product = typeof digits === 'number' ? digits * factor : Infinity
  return Number.isSafeInteger(product) && scale - number.scale <= SAFE_DIGITS
    ? product
    : BigInt(digits) * 10n ** BigInt(scale - number.scale)
}

/** Below 0, 0 or above 0. */
export function compareExact(one: ExactNumber, other: ExactNumber): number {
  if (one.scale === other.scale) return orderOf(one.digits, other.digits)
  const scale = Math.max(one.scale, other.scale)
  return orderOf(digitsAt(one, scale), digitsAt(other, scale))
}

const orderOf = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export function plus(one: ExactNumber, other: ExactNumber): ExactNumber {
  const scale = Math.max(one.scale, other.scale)
  const a = digitsAt(one, scale)
  const b = digitsAt(other, scale)
  const sum = typeof a === 'number' && typeof b === 'number' ? a + b : NaN
  return exact(Number.isSafeInteger(sum) ? sum : BigInt(a) + BigInt(b), scale)
}

export function times(
  { digits: a, scale }: ExactNumber,
  { digits: b, scale: more }: ExactNumber,
): ExactNumber {
  const product = typeof a === 'number' && typeof b === 'number' ? a * b : NaN
  return exact(Number.isSafeInteger(product) ? product : BigInt(a) * BigInt(b), scale + more)
}

export const negative = ({ digits, scale }: ExactNumber): ExactNumber => exact(-digits, scale)

/** A key that equal numbers have, and no others. */
export const exactKey = ({ digits, scale }: ExactNumber): number | string =>
  scale === 0 && typeof digits === 'number' ? digits : `${digits}e${scale}`

export function exactText({ digits, scale }: ExactNumber): string {
  if (scale === 0) return String(digits)
  const sign = digits < 0 ? '-' : ''
  const text = String(digits < 0 ? -digits : digits).padStart(scale + 1, '0')
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}
