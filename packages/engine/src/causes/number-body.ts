import { Proof } from '#causes/diagnosis.ts'

/**
 * Digits as plain decimals, without sign, currency or unit. `decimal` is the meaning with a decimal comma,
 * `point` the one with a point; equal where only one is possible.
 */
export type NumberBody = {
  readonly decimal: string
  readonly point: string
  /** Whether the digits are grouped, or have a decimal comma, or are plain. */
  readonly form: 'plain' | 'comma' | 'grouped' | 'open' | 'bare'
  readonly proves: number
}

type Form = {
  readonly is: RegExp
  readonly form: NumberBody['form']
  readonly proves: number
  readonly point: (text: string) => string
  readonly decimal?: (text: string) => string
}

const same = (text: string) => text
const withPoint = (text: string) => text.replace(',', '.')
const without = (sign: string) => (text: string) => text.replaceAll(sign, '')
const ungrouped = (text: string) => withPoint(text.replace(/[^\d.,]/g, ''))
const POINTS = Proof.DecimalComma | Proof.PointGroups
const OTHER_GROUPS = "\\d{1,3}(?:([ \u00a0\u2009\u202f'\u2019\u00b4`_])\\d{3})(?:\\1\\d{3})*"

/** The first that fits counts. */
const FORMS: readonly Form[] = [
  { is: /^[1-9]\d{0,2}\.\d{3}$/, form: 'plain', proves: 0, point: same, decimal: without('.') },
  { is: /^\d+(?:\.\d+)?$/, form: 'plain', proves: 0, point: same },
  { is: /^[1-9]\d{0,2},\d{3}$/, form: 'open', proves: 0, point: without(','), decimal: withPoint },
  { is: /^\d+,\d+$/, form: 'comma', proves: Proof.DecimalComma, point: withPoint },
  {
    is: /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/,
    form: 'grouped',
    proves: Proof.DecimalPoint,
    point: without(','),
  },
  {
    is: /^\d{1,3}(?:\.\d{3})+,\d+$/,
    form: 'comma',
    proves: POINTS,
    point: (text) => withPoint(without('.')(text)),
  },
  { is: /^\d{1,3}(?:\.\d{3}){2,}$/, form: 'grouped', proves: POINTS, point: without('.') },
  { is: new RegExp(`^${OTHER_GROUPS},\\d+$`), form: 'comma', proves: Proof.DecimalComma, point: ungrouped },
  { is: new RegExp(`^${OTHER_GROUPS}(?:\\.\\d+)?$`), form: 'grouped', proves: 0, point: ungrouped },
  { is: /^[.,]\d+$/, form: 'bare', proves: 0, point: (text) => `0.${text.slice(1)}` },
  { is: /^\d+[.,]$/, form: 'bare', proves: 0, point: (text) => text.slice(0, -1) },
  // 12,- and 1.234,-- are amounts without cents.
  {
    is: /^(?:\d+|\d{1,3}(?:[.' \u2019]\d{3})+)[.,](?:--?|[\u2013\u2014])$/,
    form: 'bare',
    proves: 0,
    point: (text) => text.replace(/\D/g, ''),
  },
]

/** null for what is no number. */
export function readBody(text: string): NumberBody | null {
  const found = /^[\d.,]/.test(text) ? FORMS.find(({ is }) => is.test(text)) : undefined
  if (found === undefined) return null
  const point = found.point(text)
  return { point, decimal: found.decimal?.(text) ?? point, form: found.form, proves: found.proves }
}
