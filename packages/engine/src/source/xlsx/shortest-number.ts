import * as byteNames from '#formats/byte-names.ts'

const { LESS_THAN, MINUS, POINT, ZERO } = byteNames
const LAST_DIGIT = 9
/** A decimal with at most this many digits is the same after a conversion to a double and back. */
const EXACT_DIGITS = 15

/**
 * Whether the number at `start` is written as `numberText` writes it: no exponent, no leading or trailing
 * zero, at most 15 digits. Then its bytes can be checked as they are.
 */
export function isShortestNumber(bytes: Uint8Array, start: number): boolean {
  let at = bytes[start] === MINUS ? start + 1 : start
  const first = at
  while ((bytes[at] - ZERO) >>> 0 <= LAST_DIGIT) at++
  const whole = at - first
  if (whole === 0 || (bytes[first] === ZERO && whole > 1) || whole > EXACT_DIGITS) return false
  if (bytes[at] === LESS_THAN) return first === start || bytes[first] !== ZERO
  if (bytes[at] !== POINT) return false
  const fraction = ++at
  while ((bytes[at] - ZERO) >>> 0 <= LAST_DIGIT) at++
  return (
    bytes[at] === LESS_THAN &&
    at > fraction &&
    bytes[at - 1] !== ZERO &&
    whole + at - fraction <= EXACT_DIGITS
  )
}
