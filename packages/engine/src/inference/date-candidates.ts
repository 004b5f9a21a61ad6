import { dateFormatPresets, parseDateFormat } from '@veridict/contract/notation/date-format'
import type { CellCheck } from '#fast-path/fast-path.ts'
import { compileDate } from '#rules/date.ts'

/**
 * The likelier first: presets, then fixed widths before loose ones, the day before the month. Without those
 * that usually mean something else: versions (`d.M.yy`) and numbers (`MM.yyyy`, `yyyy`).
 */
const FORMATS: readonly string[] = [
  dateFormatPresets,
  ['dd-MM-yyyy', 'MM-dd-yyyy', 'yyyy/MM/dd', 'yyyy.MM.dd'],
  ['d/M/yyyy', 'd.M.yyyy', 'd-M-yyyy', 'M/d/yyyy', 'M-d-yyyy', 'yyyy-M-d', 'yyyy/M/d', 'yyyy.M.d'],
  ['dd/MM/yy', 'dd.MM.yy', 'dd-MM-yy', 'MM/dd/yy', 'MM-dd-yy', 'd/M/yy', 'M/d/yy'],
  ['MM/yyyy', 'yyyy-MM'],
].flat()

/** What dates of all these formats look like: a quick test that excludes other values. */
const DATE_LIKE = /^\d{1,4}[/.-]\d[\d/.-]{0,8}$/

/** Formats that a value fits, as bits. The rules themselves find them, so a proposal accepts its sample. */
export class DateCandidates {
  readonly all = 2 ** FORMATS.length - 1
  readonly #checks: readonly CellCheck[]

  constructor(currentYear: number) {
    this.#checks = FORMATS.map((format) => compileDate({ type: 'date', format }, currentYear).check)
  }

  /** Those of the formats that the value fits; 0 for none. */
  fits(text: string, formats: number): number {
    if (!DATE_LIKE.test(text)) return 0
    let found = 0
    for (let left = formats; left !== 0; left &= left - 1) {
      const bit = left & -left
      if (this.#checks[31 - Math.clz32(bit)](text) === null) found |= bit
    }
    return found
  }

  /** The formats of a set, the likelier first. */
  named(formats: number): readonly string[] {
    return FORMATS.filter((_, index) => (formats & (1 << index)) !== 0)
  }
}

/** Whether there is a format with the same separator in which day and month are swapped. */
export function hasSwappedFormat(format: string): boolean {
  const swapped = { dMy: 'Mdy', Mdy: 'dMy' }[unitOrder(format)]
  return FORMATS.some((other) => unitOrder(other) === swapped && separatorOf(other) === separatorOf(format))
}

const separatorOf = (format: string) => parseDateFormat(format)!.separator

/** The order of a format's units: 'dMy', 'Mdy', 'yMd' … */
export const unitOrder = (format: string): string =>
  parseDateFormat(format)!
    .parts.map((part) => part[0])
    .join('')
