import type { ColumnCheck } from '#compile/cell-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { type RangeFindings, RowReports } from '#rows/row-reports.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { ByteRange, RangedTable } from '#source/table-source.ts'

/** What the judging of one range gave, as plain data. */
export type JudgedRange = {
  /** Where the first record begins that is not whole in the range; the range's end, if one begins there. */
  end: number
  /** Rows passed, blank ones included. */
  rowCount: number
  findings: RangeFindings
}

/** Those who judge ranges of the same file at the same time, with `judgeRange`. */
export type Others = { readonly count: number; judge(range: ByteRange): Promise<JudgedRange | null> }

/** The same as for the whole file. */
export type RangeRequest = TableRequest & { maxRows?: number }

/**
 * Judges one range of a file that `validateTable` has given away. null: something may be wrong with the file as a whole.
 * Throws `SourceProblem` where the file cannot be opened, which whoever gave the range away has found out before.
 */
export async function judgeRange(request: RangeRequest, range: ByteRange): Promise<JudgedRange | null> {
  const table = await openTable(request)
  const columns = compileColumns(request.fields, table.terminators, request.platform, table.firstColumn)
  return judge(table.ranged!, columns, request, range)
}

/**
 * Judges a table in ranges, which together are all its rows: the first here, the others elsewhere, and adds up what was
 * found. The verdict is that of
 * one thread: a range counts only if the one before it ended exactly where it begins. If it did not, a record reaches
 * over the cut (the line feed of the guess stands inside quotes), and the range is judged again from where that record
 * begins. null where a range met something that may be wrong with the file as a whole: it is named by reading from its
 * start.
 */
export async function judgeInRanges(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  [first, ...rest]: readonly ByteRange[],
  request: Pick<RangeRequest, 'platform' | 'maxRows'> & { others: Others },
): Promise<RowReports | null> {
  const elsewhere = rest.map((range) => request.others.judge(range))
  const reports = new RowReports(columns, request.platform, request.maxRows)
  let judged = await judge(table, columns, request, first)
  let rowsBefore = table.headerRowNumber
  for (let index = 0; judged !== null; index++) {
    reports.add(judged.findings, rowsBefore)
    rowsBefore += judged.rowCount
    if (index === rest.length) return reports
    const { end } = judged
    const { from, to } = rest[index]
    judged = end === from ? await elsewhere[index] : await judge(table, columns, request, { from: end, to })
  }
  return null
}

async function judge(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  { platform, maxRows }: Pick<RangeRequest, 'platform' | 'maxRows'>,
  range: ByteRange,
): Promise<JudgedRange | null> {
  const reports = new RowReports(columns, platform, maxRows)
  const judged = await table.judgeRange(columns, reports, range)
  return judged && { ...judged, findings: reports.findings() }
}
