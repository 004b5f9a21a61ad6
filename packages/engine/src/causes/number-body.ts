import { Proof } from '#causes/diagnosis.ts'

/**
 * Digits as people write them, without sign, currency or unit, as plain decimals. `decimal` is the meaning
 * with a decimal comma, `point` the one with a decimal point; they are equal where only one is possible.
 */
export type NumberBody = {
  readonly decimal: string
  readonly point: string
  /** Whether the digits are grouped, or have a decimal comma, or are plain. */
  readonly form: 'plain' | 'comma' | 'grouped' | 'open' | 'bare'
  readonly proves: number
}

const PLAIN = /^\d+(?:\.\d+)?$/
const OPEN_POINT = /^[1-9]\d{0,2}\.\d{3}$/
const OPEN_COMMA = /^[1-9]\d{0,2},\d{3}$/
const COMMA = /^\d+,\d+$/
const COMMA_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const INDIAN_GROUPS = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/
const POINT_GROUPS = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/
const OTHER_GROUPS = /^\d{1,3}(?:([ \u00a0\u2009\u202f'\u2019\u00b4`_])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/
/** 12,- and 1.234,-- are amounts without cents. */
const NO_CENTS = /^(?<whole>\d+|\d{1,3}(?:[.' \u2019]\d{3})+)[.,](?:--?|[\u2013\u2014])$/
const BARE_POINT = /^(?:[.,]\d+|\d+[.,])$/

/** null for what is no number. */
export function readBody(text: string): NumberBody | null {
  const certain = (value: string, form: NumberBody['form'], proves = 0): NumberBody => ({
    decimal: value,
    point: value,
    form,
    proves,
  })
  if (PLAIN.test(text))
    return OPEN_POINT.test(text)
      ? { decimal: text.replace('.', ''), point: text, form: 'plain', proves: 0 }
      : certain(text, 'plain')
  if (OPEN_COMMA.test(text))
    return { decimal: text.replace(',', '.'), point: text.replace(',', ''), form: 'open', proves: 0 }
  if (COMMA.test(text)) return certain(text.replace(',', '.'), 'comma', Proof.DecimalComma)
  if (COMMA_GROUPS.test(text) || INDIAN_GROUPS.test(text))
    return certain(text.replaceAll(',', ''), 'grouped', Proof.DecimalPoint)
  if (POINT_GROUPS.test(text))
    return certain(
      text.replaceAll('.', '').replace(',', '.'),
      text.includes(',') ? 'comma' : 'grouped',
      Proof.DecimalComma | Proof.PointGroups,
    )
  if (OTHER_GROUPS.test(text)) {
    const digits = text.replace(/[^\d.,]/g, '').replace(',', '.')
    return certain(
      digits,
      text.includes(',') ? 'comma' : 'grouped',
      text.includes(',') ? Proof.DecimalComma : 0,
    )
  }
  if (BARE_POINT.test(text)) {
    const plain = text.replace(',', '.')
    return certain(plain.startsWith('.') ? `0${plain}` : plain.slice(0, -1), 'bare')
  }
  const whole = NO_CENTS.exec(text)?.groups!.whole
  return whole === undefined ? null : certain(whole.replace(/\D/g, ''), 'bare')
}
