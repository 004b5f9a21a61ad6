/** The shortest decimal that gives the same double, without an exponent: 1e21 is 1000000000000000000000. */
export function plainDecimal(value: number): string {
  const text = String(value === 0 ? 0 : value)
  return text.includes('e') ? withoutExponent(text) : text
}

function withoutExponent(text: string): string {
  const [mantissa, exponent] = text.split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole, fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return (
    sign +
    digits.slice(0, point).padEnd(point, '0') +
    (digits.length > point ? `.${digits.slice(point)}` : '')
  )
}
