import { type DateFormat, type DatePart, parseDateFormat } from '@veridict/contract/notation/date-format'

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
export function writeStrptime({ parts, separator }: DateFormat): string {
  return parts.map((part) => WRITTEN[part]).join(separator)
}

/** strptime → our notation; null for what ours lacks: other separators, names of months, times of day. */
export function readStrptime(format: string): string | null {
  if (!/^%-?[a-zA-Z](?:[/.-]%-?[a-zA-Z])*$/.test(format)) return null
  const ours = format.replace(/%-?[a-zA-Z]/g, (directive) => DIRECTIVES[directive] ?? '?')
  return parseDateFormat(ours) === null ? null : ours
}
