import { ColumnProfile } from '#inference/column-profile.ts'
import { DateCandidates } from '#inference/date-candidates.ts'
import type { Terminators } from '#formats/terminators.ts'
import type { Platform } from '#platform.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'

/** The columns of a table, and how many rows do not fit its header. */
export type TableProfile = {
  recordsCount: number
  columns: readonly ColumnProfile[]
  irregularRows: number
  /** 0 if there is none. */
  firstIrregularRow: number
}

/** A day of a true date cell without a time, except serial 60 of the 1900 system, which is not a real day. */
const PLAIN_DAY = /^(?!1900-02-29)\d{4}-\d\d-\d\d$/

/** Some 50 MB. */
const MAX_VALUES_KEPT = 500_000

/** Reads all rows once. Throws `FileProblemError`. */
export async function profileTable(
  table: TableSource,
  platform: Pick<Platform, 'currentYear'>,
): Promise<TableProfile> {
  const { terminators, header, firstColumn } = table
  const dates = new DateCandidates(platform.currentYear)
  const budget = { left: MAX_VALUES_KEPT }
  const columns = Array.from({ length: header.length - firstColumn }, () => new ColumnProfile(dates, budget))
  const profile = { recordsCount: 0, columns, irregularRows: 0, firstIrregularRow: 0 }
  for await (const rows of table.rows({ withKinds: true })) {
    for (const row of rows) {
      profile.recordsCount++
      for (let index = 0; index < columns.length; index++) observe(columns[index], row, firstColumn + index)
      if (isRegular(row, terminators, firstColumn, header.length)) continue
      profile.irregularRows++
      profile.firstIrregularRow ||= row.rowNumber
    }
  }
  return profile
}

function observe(column: ColumnProfile, { rowNumber, cells, kinds }: SourceRow, position: number): void {
  const text = (cells[position] ?? '').trim()
  if (text === '') return
  const kind = kinds?.[position]
  if (kind === 'error') column.error({ text, rowNumber })
  else if (kind === 'moment' && PLAIN_DAY.test(text)) column.day(text)
  else column.text(text, rowNumber)
}

/** A CSV row must not end early; no row may have values outside the header. */
function isRegular({ cells }: SourceRow, { kind }: Terminators, firstColumn: number, end: number): boolean {
  if (kind === 'csv' && cells.length < end) return false
  const isBlank = (text: string) => text.trim() === ''
  return (
    (cells.length <= end || cells.slice(end).every(isBlank)) &&
    (firstColumn === 0 || cells.slice(0, firstColumn).every(isBlank))
  )
}
