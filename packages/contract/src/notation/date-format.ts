/** Date formats offered at once; people may add others of the same notation. */
export const dateFormatPresets = ['dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd', 'MM/dd/yyyy'] as const

export type DatePart = 'd' | 'dd' | 'M' | 'MM' | 'yy' | 'yyyy'
/** A format taken apart; `separator` is '' when there is one part only. */
export type DateFormat = { parts: readonly DatePart[]; separator: string }

const PART = /^(?:dd?|MM?|yyyy|yy)$/

/**
 * 1 to 3 of day (d, dd), month (M, MM) and year (yy, yyyy), each at most once, in any order, all separated by
 * the same / . or -; case-sensitive. null for anything else. See docs/BEHAVIOUR.md#fields-and-rules.
 */
export function parseDateFormat(format: string): DateFormat | null {
  const separator = /[/.-]/.exec(format)?.[0] ?? ''
  const parts = separator === '' ? [format] : format.split(separator)
  if (parts.length > 3 || !parts.every((part) => PART.test(part))) return null
  const units = new Set(parts.map((part) => part[0]))
  return units.size === parts.length ? { parts: parts as DatePart[], separator } : null
}

/** A calendar day written in `format`. Day and month count from 1. */
export const writeDate = (format: DateFormat, year: number, month: number, day: number): string =>
  format.parts.map((part) => writePart[part](year, month, day)).join(format.separator)

const writePart: Record<DatePart, (year: number, month: number, day: number) => string> = {
  d: (_year, _month, day) => String(day),
  dd: (_year, _month, day) => String(day).padStart(2, '0'),
  M: (_year, month) => String(month),
  MM: (_year, month) => String(month).padStart(2, '0'),
  yy: (year) => String(year % 100).padStart(2, '0'),
  yyyy: (year) => String(year).padStart(4, '0'),
}
