import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { NumberRule } from '@veridict/contract/model/rule'
import { ByteKind, type ByteKinds } from '#formats/byte-kinds.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import { plainDecimal } from '#plain-decimal.ts'
import { CountFault } from '#rules/count-fault.ts'
import { neverSure, type CompiledRule } from '#rules/compiled-rule.ts'
import { compareExact, type ExactNumber, parseExact } from '#rules/exact-number.ts'

/** A text that would be a number if its comma were a point. Points before the comma separate thousands. */
const DECIMAL_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/

/**
 * `[+-]?digits[.digits]` and nothing else: no grouping, exponent, currency or bare point. Bounds are compared
 * as decimals, not doubles; `scale` is the most digits after the point. A decimal comma has its own sentence
 * and is never dropped: 13,75 kg once became 1375. See docs/BEHAVIOUR.md#cells.
 */
export function compileNumber(rule: NumberRule): CompiledRule {
  const { scale = Infinity } = rule
  const minimum = rule.minimum === undefined ? undefined : plainDecimal(rule.minimum)
  const maximum = rule.maximum === undefined ? undefined : plainDecimal(rule.maximum)
  const lowest = minimum === undefined ? undefined : boundOf(minimum)
  const highest = maximum === undefined ? undefined : boundOf(maximum)
  const expected = cellExpectations.number(example(rule), rule.scale, minimum, maximum)
  const fault = (code: CellFaultCode, error: string) => ({ code, error, expected })
  const notANumber = fault('notANumber', cellErrors.notANumber)
  const decimalComma = fault('decimalComma', cellErrors.decimalComma)
  const tooSmall = fault('numberTooSmall', cellErrors.numberTooSmall(minimum ?? ''))
  const tooLarge = fault('numberTooLarge', cellErrors.numberTooLarge(maximum ?? ''))
  const tooManyDecimals = (decimals: number) => new CountFault('tooManyDecimals', decimals, scale, expected)
  return {
    expected,
    check: (text) => {
      const decimals = decimalsIn(text)
      if (decimals === NO_NUMBER) return DECIMAL_COMMA.test(text) ? decimalComma : notANumber
      if (decimals > scale) return tooManyDecimals(decimals)
      if (lowest === undefined && highest === undefined) return null
      const value = Number(text)
      if (lowest !== undefined && compare(value, text, lowest) < 0) return tooSmall
      return highest !== undefined && compare(value, text, highest) > 0 ? tooLarge : null
    },
    fastPath: (kinds, required) => numberPath(rule, kinds, required),
    ...(isExact(rule.minimum) &&
      isExact(rule.maximum) && {
        describe(kernel, column) {
          const { scale = EXACT_DIGITS, minimum = -Infinity, maximum = Infinity } = rule
          kernel.number(column, scale, minimum, maximum)
        },
      }),
  }
}

type Bound = { nearest: number; exact: ExactNumber }

const boundOf = (text: string): Bound => ({ nearest: Number(text), exact: parseExact(text) })

/** Rounding to doubles keeps the order, so only values that become equal are compared as decimals. */
function compare(value: number, text: string, { nearest, exact }: Bound): number {
  return value === nearest ? compareExact(parseExact(text), exact) : value - nearest
}

const NO_NUMBER = -1

/** Digits after the point of `[+-]?digits[.digits]`; NO_NUMBER for any other text. */
function decimalsIn(text: string): number {
  const first = text[0] === '-' || text[0] === '+' ? 1 : 0
  const whole = endOfDigits(text, first)
  if (whole === first) return NO_NUMBER
  if (whole === text.length) return 0
  const end = text[whole] === '.' ? endOfDigits(text, whole + 1) : 0
  return end === text.length && end > whole + 1 ? end - whole - 1 : NO_NUMBER
}

function endOfDigits(text: string, start: number): number {
  let at = start
  while (at < text.length && isDigit(text.charCodeAt(at))) at++
  return at
}

/** An example that the rule accepts: a plain number where one fits. */
function example({ scale = Infinity, minimum = -Infinity, maximum = Infinity }: NumberRule): string {
  const fits = (value: number) =>
    value >= minimum && value <= maximum && decimalsIn(plainDecimal(value)) <= scale
  const nearBounds = [minimum + 1, Math.ceil(minimum), minimum, Math.floor(maximum), maximum]
  const candidates = [12.5, 12, 5, 1, 0, 0.5, ...nearBounds]
  return plainDecimal(candidates.find((value) => Number.isFinite(value) && fits(value)) ?? 0)
}

const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const isDigit = (code: number): boolean => (code - ZERO) >>> 0 <= 9
/** Different numbers of so many digits, whole or decimal, are different doubles. Longer ones may be equal. */
const EXACT_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

/**
 * For up to 15 digits: as integers they are exact doubles, and division by a power of ten rounds as reading
 * the decimal would. It is long because it is one loop over the bytes with few variables.
 */
function numberPath(
  { scale, minimum, maximum }: NumberRule,
  kinds: ByteKinds,
  required: boolean,
): ByteAccept {
  if (!isExact(minimum) || !isExact(maximum)) return neverSure
  const lowest = minimum ?? -Infinity
  const highest = maximum ?? Infinity
  const mostDecimals = scale ?? EXACT_DIGITS
  return (bytes, position) => {
    let at = position
    let byte = bytes[at]
    if (kinds[byte] === ByteKind.End) return required ? NOT_SURE : at
    const negative = byte === MINUS
    if (negative || byte === PLUS) byte = bytes[++at]
    const first = at
    let digit = byte - ZERO
    if (digit >>> 0 > 9) return NOT_SURE
    let value = 0
    let decimals = 0
    do {
      value = value * 10 + digit
      digit = bytes[++at] - ZERO
    } while (digit >>> 0 <= 9)
    if (at - first > EXACT_DIGITS) return NOT_SURE
    if (bytes[at] === POINT) {
      const point = at
      digit = bytes[++at] - ZERO
      if (digit >>> 0 > 9) return NOT_SURE
      do {
        value = value * 10 + digit
        digit = bytes[++at] - ZERO
      } while (digit >>> 0 <= 9)
      decimals = at - point - 1
      if (at - first > EXACT_DIGITS + 1) return NOT_SURE
      value /= POWERS_OF_TEN[decimals]
    }
    if (kinds[bytes[at]] !== ByteKind.End) return NOT_SURE
    if (negative) value = -value
    return decimals <= mostDecimals && value >= lowest && value <= highest ? at : NOT_SURE
  }
}

/** Two decimals of at most 15 digits are equal if their doubles are; a longer bound needs the reference. */
function isExact(bound: number | undefined): boolean {
  return bound === undefined || plainDecimal(bound).replace(/^-?0*\.?0*|\./g, '').length <= EXACT_DIGITS
}
