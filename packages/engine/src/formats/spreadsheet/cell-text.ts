import type { SharedStrings } from '#formats/spreadsheet/read-shared-strings.ts'
import { type CellStyles, type NumberFormat, NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { readSerial, type SerialMoment } from '#formats/spreadsheet/serial-date.ts'
import { resolveCharacterEscapes } from '#formats/xml/xml-text.ts'
import { plainDecimal } from '#plain-decimal.ts'

/** `t` of a cell (ECMA-376 part 1, 18.18.11); `Pending` is a formula that no program has calculated yet. */
export const CellType = {
  Number: 0,
  Shared: 1,
  Boolean: 2,
  Error: 3,
  Text: 4,
  Inline: 5,
  Date: 6,
  Pending: 7,
} as const
export type CellType = (typeof CellType)[keyof typeof CellType]

const TYPE_NAMES: Readonly<Record<string, CellType>> = {
  n: CellType.Number,
  s: CellType.Shared,
  b: CellType.Boolean,
  e: CellType.Error,
  str: CellType.Text,
  inlineStr: CellType.Inline,
  d: CellType.Date,
}

export const cellTypeOf = (name: string | null): CellType => TYPE_NAMES[name ?? 'n'] ?? CellType.Number

/** `text` is what the cell reads as. A moment is a date or time that a format shows for `number`. */
export type CellValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'pending'; readonly text: '' }
  | {
      readonly kind: 'moment'
      readonly text: string
      readonly moment: SerialMoment
      readonly number?: number
    }

/** A cell as its sheet writes it. `raw`: `<v>` or `<is>`, entities resolved; '' for a blank cell. */
export type RawCell = { readonly type: CellType; readonly style: number; readonly raw: string }

export type CellTables = {
  readonly sharedStrings: SharedStrings
  readonly styles: CellStyles
  readonly date1904: boolean
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
/** Digits of a number that a spreadsheet shows. Further digits of a double are rounding noise. */
const SHOWN_DIGITS = 15

/** See `RawCell`. Throws `FileProblemError` if a shared string is missing. */
export function readCell(type: CellType, style: number, raw: string, tables: CellTables): CellValue {
  switch (type) {
    case CellType.Shared:
      return textValue(raw.trim() === '' ? '' : tables.sharedStrings.text(Number(raw)))
    case CellType.Text:
    case CellType.Inline:
      return textValue(resolveCharacterEscapes(raw))
    case CellType.Boolean:
      return textValue(booleanText(raw.trim()))
    case CellType.Error:
      return { kind: 'error', text: raw.trim() }
    case CellType.Pending:
      return { kind: 'pending', text: '' }
    case CellType.Date:
      return isoDate(raw.trim())
    case CellType.Number:
      return numberValue(raw.trim(), tables.styles[style] ?? NumberKind.Plain, tables.date1904)
  }
}

/**
 * A double as a wide column shows it: 15 significant digits, no exponent; 12.350000000000001 is 12.35. Exact
 * whole numbers, and numbers that rounding would make infinite, keep all their digits.
 */
export function numberText(value: number): string {
  const shown = Number.isSafeInteger(value) ? value : Number(value.toPrecision(SHOWN_DIGITS))
  return plainDecimal(Number.isFinite(shown) ? shown : value)
}

/** `yyyy-MM-dd`, with ` HH:mm:ss` when there is a time of day; `HH:mm:ss` alone for a time without a day. */
function momentText({ year, month, day, seconds }: SerialMoment): string {
  if (day === 0) return timeText(seconds)
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
  return seconds === 0 ? date : `${date} ${timeText(seconds)}`
}

export function timeText(seconds: number): string {
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => padded(part, 2))
    .join(':')
}

const textValue = (text: string): CellValue => ({ kind: 'text', text })
const padded = (value: number, digits: number) => String(value).padStart(digits, '0')

function booleanText(raw: string): string {
  if (raw === '1' || raw === 'true') return 'TRUE'
  return raw === '0' || raw === 'false' ? 'FALSE' : raw
}

function numberValue(raw: string, format: NumberFormat, date1904: boolean): CellValue {
  if (!DECIMAL.test(raw)) return textValue(raw)
  const value = Number(raw)
  if (!Number.isFinite(value)) return textValue(raw)
  const kind = typeof format === 'function' ? format(value) : format
  const moment = kind === NumberKind.Plain ? null : readMoment(value, kind, date1904)
  return moment === null
    ? textValue(numberText(value))
    : { kind: 'moment', text: momentText(moment), moment, number: value }
}

/** A duration, or a number below 1 in a format of times only, is a time and not a day of 1900 or 1904. */
function readMoment(value: number, kind: NumberKind, date1904: boolean): SerialMoment | null {
  const isTime = kind === NumberKind.Duration || (kind === NumberKind.Time && value < 1)
  if (!isTime || value < 0) return readSerial(value, date1904)
  return { year: 0, month: 0, day: 0, seconds: Math.round(value * 86400) }
}

/** Other texts than a date, a time or a duration stay text. */
function isoDate(raw: string): CellValue {
  const moment = readIsoMoment(raw)
  return moment === null ? textValue(raw) : { kind: 'moment', text: momentText(moment), moment }
}

const DATE = String.raw`(\d{4}-\d\d-\d\d)`
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:Z|[+-]\d\d:?\d\d)?`
const MOMENT = new RegExp(`^(?:${DATE}(?:T|$))?(?:${TIME})?$`)
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/
const SECONDS_PER_DAY = 86400

/**
 * A cell of type `d` (strict workbooks): date, time, both, or duration in ISO 8601, to the nearest second,
 * since Excel writes 11:00 as 10:59:59.99. `year`, `month` and `day` are 0 without a day. null for any other
 * text, and for days that no calendar has.
 */
function readIsoMoment(text: string): SerialMoment | null {
  if (text === '' || text.endsWith('T')) return null
  const duration = DURATION.exec(text)
  if (duration !== null) return text === 'P' ? null : timeAlone(secondsOf(duration))
  const match = MOMENT.exec(text)
  if (match === null) return null
  const [, date, ...time] = match
  const seconds = secondsOf(['', '0', ...time])
  return date === undefined ? timeAlone(seconds) : momentOf(date, seconds)
}

const timeAlone = (seconds: number): SerialMoment => ({ year: 0, month: 0, day: 0, seconds })

function secondsOf([, days, hours, minutes, seconds]: readonly (string | undefined)[]): number {
  const number = (part: string | undefined) => Number((part ?? '0').replace(',', '.'))
  return Math.round(((number(days) * 24 + number(hours)) * 60 + number(minutes)) * 60 + number(seconds))
}

function momentOf(date: string, seconds: number): SerialMoment | null {
  const midnight = new Date(`${date}T00:00:00Z`)
  // Some engines roll 30 February over into March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, date.length) !== date) return null
  // Rounding may have reached the next day.
  const isNextDay = seconds === SECONDS_PER_DAY
  if (isNextDay) midnight.setUTCDate(midnight.getUTCDate() + 1)
  const [year, month, day] = [midnight.getUTCFullYear(), midnight.getUTCMonth() + 1, midnight.getUTCDate()]
  return { year, month, day, seconds: isNextDay ? 0 : seconds }
}
