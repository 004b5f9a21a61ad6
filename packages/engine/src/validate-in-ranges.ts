import { errorScreenLimits } from '@veridict/contract/limits'
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

/** By the index of the range. null: something may be wrong with the file as a whole. */
export type JudgedRanges = ReadonlyMap<number, JudgedRange | null>

/** The index of the first range that nobody has taken yet, at or beyond their number where there is none. All who judge ask the same one. */
export type TakeRange = () => number

/** Those who judge ranges of the same file at the same time, with `judgeRanges`. */
export type Others = {
  readonly count: number
  /** Sets them to work; what is judged here must be taken too. `judged` rejects where one of them fails. */
  judge(ranges: readonly ByteRange[]): { take: TakeRange; judged: Promise<JudgedRanges> }
}

/** The same as for the whole file. */
export type RangeRequest = TableRequest & { maxRows?: number }

/** Of one size, so that who is slow, or begins late, takes fewer; small enough that nobody waits long for the last one. In bytes. */
const RANGE_SIZE = 4 * 1024 * 1024

/** As many as `judgeInRanges` wants for a file of `size` bytes. */
export const rangeCount = (size: number, others: Others): number => Math.max(others.count + 1, Math.ceil(size / RANGE_SIZE))

/**
 * Judges ranges of a file that `validateTable` has given away, as many as can be taken.
 * Throws `SourceProblem` where the file cannot be opened, which whoever gave them away has found out before.
 */
export async function judgeRanges(request: RangeRequest, ranges: readonly ByteRange[], take: TakeRange): Promise<JudgedRanges> {
  const table = await openTable(request)
  const columns = await compileColumns(request.fields, table.terminators, request.platform, table.firstColumn)
  return judgeTaken(table.ranged!, columns, request, ranges, take)
}

/**
 * Judges a table in ranges, which together are all its rows, here and elsewhere, and adds up what was found. The verdict
 * is that of one thread: a range counts only if the one before it ended exactly where it begins. If it did not, a record
 * reaches over the cut (the line feed of the guess stands inside quotes), and the range is judged again from where that
 * record begins. null where a range met something that may be wrong with the file as a whole: it is named by reading from
 * its start.
 */
export async function judgeInRanges(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  ranges: readonly ByteRange[],
  request: Pick<RangeRequest, 'platform' | 'maxRows'> & { others: Others },
): Promise<RowReports | null> {
  const { take, judged: elsewhere } = request.others.judge(ranges)
  // Awaited below, if at all: a failure that comes earlier, or when nobody asks any more, must not end the process.
  elsewhere.catch(() => {})
  const here = await judgeTaken(table, columns, request, ranges, take)
  if (here.get(0) === null) return null
  const known = new Map([...here, ...(await elsewhere)])
  const reports = new RowReports(columns, request.platform, request.maxRows)
  let rowsBefore = table.headerRowNumber
  let end = ranges[0].from
  for (const [index, { from, to }] of ranges.entries()) {
    let judged = from === end ? known.get(index)! : null
    if (judged === null || reports.lacksRowsOf(judged.findings)) judged = await judge(table, columns, request, { from: end, to })
    if (judged === null) return null
    reports.add(judged.findings, rowsBefore)
    rowsBefore += judged.rowCount
    end = judged.end
  }
  return reports
}

/**
 * Ranges are taken in their order, so the rows found here come before those of the ranges still to be taken: of these only
 * as many are kept as are wanted beyond. Should a guess prove wrong, `judgeInRanges` sees what is missing.
 */
async function judgeTaken(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  { platform, maxRows = errorScreenLimits.maxRows }: Pick<RangeRequest, 'platform' | 'maxRows'>,
  ranges: readonly ByteRange[],
  take: TakeRange,
): Promise<JudgedRanges> {
  const known = new Map<number, JudgedRange | null>()
  let wanted = maxRows
  for (let index = take(); index < ranges.length; index = take()) {
    const judged = await judge(table, columns, { platform, maxRows: wanted }, ranges[index])
    known.set(index, judged)
    // The first range was not guessed: where something is wrong there, no other matters.
    if (judged === null && index === 0) break
    wanted -= judged?.findings.rows.length ?? 0
  }
  return known
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
