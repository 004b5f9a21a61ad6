import { type DateFormat, type DatePart, parseDateFormat } from '@veridict/contract/notation/date-format'

/** A date in a Table Schema: its type, its format unless the default, and ours where theirs says less. */
export type SchemaDate = { type: 'date' | 'year' | 'yearmonth'; format?: string; 'veridict:format'?: string }

/** What the types of Table Schema without a format stand for. */
const DEFAULT_FORMATS = { date: 'yyyy-MM-dd', year: 'yyyy', yearmonth: 'yyyy-MM' } as const

/** A date format as a Table Schema writes it. Throws if it is not a date format. */
export function writeSchemaDate(format: string): SchemaDate {
  for (const type of ['date', 'year', 'yearmonth'] as const)
    if (format === DEFAULT_FORMATS[type]) return { type }
  const parsed = parseDateFormat(format)
  if (parsed === null) throw new Error(`Not a date format: ${format}`)
  const strptime = writeStrptime(parsed)
  return {
    type: 'date',
    format: strptime,
    'veridict:format': readStrptime(strptime) === format ? undefined : format,
  }
}

/**
 * null if we have no such format. `ours` (veridict:format) counts only while it means the same as the
 * standard's own format, which may have been edited.
 */
export function readSchemaDate(type: SchemaDate['type'], format: string, ours: unknown): string | null {
  if (format === 'default' || type !== 'date') return DEFAULT_FORMATS[type]
  const parsed = typeof ours === 'string' ? parseDateFormat(ours) : null
  if (parsed !== null && writeStrptime(parsed) === format) return ours as string
  return readStrptime(format)
}

/** strptime takes leading zeros as it finds them: its %d is our d, not our dd. */
const DIRECTIVES: Readonly<Record<string, DatePart>> = {
  '%d': 'd',
  '%-d': 'd',
  '%e': 'd',
  '%m': 'M',
  '%-m': 'M',
  '%y': 'yy',
  '%Y': 'yyyy',
}
const WRITTEN: Readonly<Record<DatePart, string>> = {
  d: '%d',
  dd: '%d',
  M: '%m',
  MM: '%m',
  yy: '%y',
  yyyy: '%Y',
}

/** A date format in the notation of strptime, which the data formats of Python and C share. */
function writeStrptime({ parts, separator }: DateFormat): string {
  return parts.map((part) => WRITTEN[part]).join(separator)
}

/** strptime → our notation; null for what ours lacks: other separators, names of months, times of day. */
function readStrptime(format: string): string | null {
  if (!/^%-?[a-zA-Z](?:[/.-]%-?[a-zA-Z])*$/.test(format)) return null
  const ours = format.replace(/%-?[a-zA-Z]/g, (directive) => DIRECTIVES[directive] ?? '?')
  return parseDateFormat(ours) === null ? null : ours
}
