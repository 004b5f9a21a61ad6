/**
 * A decimal number taken apart into its sign and the digits before and after the point, without leading
 * zeros before it or trailing zeros after it, so that equal values have equal parts. Zero has no digits and
 * no sign.
 */
export type Decimal = { readonly negative: boolean; readonly whole: string; readonly fraction: string }

/** `text` must be `[+-]?digits[.digits]`. */
export function parseDecimal(text: string): Decimal {
  const unsigned = text.replace(/^[+-]/, '')
  const [digits, decimals = ''] = unsigned.split('.')
  const whole = digits.replace(/^0+/, '')
  const fraction = decimals.replace(/0+$/, '')
  return { negative: text[0] === '-' && whole + fraction !== '', whole, fraction }
}

/**
 * Below 0 if `a` < `b`, 0 if they are equal, above 0 if `a` > `b`. Exact at any number of digits.
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1
  const magnitude = compareMagnitudes(a, b)
  return a.negative ? -magnitude : magnitude
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.whole.length !== b.whole.length) return a.whole.length - b.whole.length
  if (a.whole !== b.whole) return a.whole < b.whole ? -1 : 1
  // Without trailing zeros, fractions compare as text: a shorter one that is a prefix is the smaller.
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -1 : 1
}
