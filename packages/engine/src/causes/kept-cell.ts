import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError, RowKeyPart } from '@veridict/contract/model/cell-error'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Diagnosis } from '#causes/diagnosis.ts'
import type { Platform } from '#platform.ts'
import type { BadCell } from '#source/table-source.ts'

/** A bad cell that the verdict shows, before its cause is known. */
export type KeptCell = Omit<CellError, 'columnPosition' | 'cause' | 'suggestion'> & {
  readonly column: number
  readonly diagnosis: Diagnosis
}
export type KeptRow = {
  readonly rowNumber: number
  readonly key: RowKeyPart[]
  readonly cells: readonly KeptCell[]
  /** The errors of rules between cells. */
  readonly unmet?: readonly CellError[]
}

/** Words the fault and cuts the value. `label` is the name of the column's field. */
export function keepCell(
  { column, fault: { error, expected }, value }: BadCell,
  label: string,
  diagnosis: Diagnosis,
  platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>,
): KeptCell {
  return { column, label, error, value: shownValue(value, platform), expected, diagnosis }
}

/** The cell as people read it. `cause` and `suggestion` are what the whole file says. */
export const cellError = (
  { column, label, error, value, expected }: KeptCell,
  cause: string,
  suggestion: string | null,
): CellError => ({ columnPosition: columnLetter(column), label, error, value, expected, cause, suggestion })

/** Cut without splitting a character, and copied: a slice would keep the whole long value in memory. */
export function shownValue(value: string, platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>): string {
  const limit = errorScreenLimits.maxValueLength
  if (value.length <= limit) return value
  const cut = value.slice(0, value.codePointAt(limit - 1)! > 0xffff ? limit - 1 : limit)
  const bytes = platform.encodeUtf8(cut)
  return platform.decodeUtf8(bytes, 0, bytes.length)
}
