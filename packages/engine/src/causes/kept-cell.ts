import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError, RowKeyPart } from '@veridict/contract/model/cell-error'
import type { Diagnosis } from '#causes/diagnosis.ts'
import type { TextPlatform } from '#platform.ts'
import type { BadCell } from '#source/table-source.ts'

/** A bad cell that the verdict may show. Most are never shown, so its diagnosis and words wait. */
export type KeptCell = Omit<BadCell, 'like'> &
  Pick<KeptRow, 'rowNumber' | 'key'> & { readonly diagnosisOf: (cell: BadCell) => Diagnosis }
export type KeptRow = {
  readonly rowNumber: number
  readonly key: RowKeyPart[]
  readonly cells: readonly KeptCell[]
  /** The errors of rules between cells. */
  readonly unmet?: readonly CellError[]
}

/** Cut without splitting a character, and copied: a slice would keep the whole long value in memory. */
export function shownValue(value: string, platform: TextPlatform): string {
  const limit = errorScreenLimits.maxValueLength
  if (value.length <= limit) return value
  const cut = value.slice(0, value.codePointAt(limit - 1)! > 0xffff ? limit - 1 : limit)
  const bytes = platform.encodeUtf8(cut)
  return platform.decodeUtf8(bytes, 0, bytes.length)
}
