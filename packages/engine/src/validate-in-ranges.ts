import { errorScreenLimits } from '@veridict/contract/limits'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { type RangeReport, RowReports } from '#rows/row-reports.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { ByteRange, RangedTable } from '#source/table-source.ts'

/** What was found in one range, as plain data, so that threads can send it. */
export type ValidatedRange = {
  /**
   * Where the first record begins that does not end within the range; the end of the range, where one begins
   * there.
   */
  end: number
  /** Rows of the range, blank ones included. */
  rowCount: number
  findings: RangeReport
}

/**
 * By the index of the range. null where the range met something that may be wrong with the file as a whole.
 */
export type ValidatedRanges = ReadonlyMap<number, ValidatedRange | null>

/**
 * Answers the index of the next range that nobody has taken yet; the number of ranges or more once all are
 * taken. Shared by all who judge.
 */
export type TakeRange = () => number

/**
 * Threads, or whatever else runs beside the caller, that judge ranges of the same file by calling
 * `validateRanges`.
 */
export type RangeWorkers = {
  /** How many there are, the caller not counted. */
  readonly count: number
  /**
   * Sets them to work on `ranges`. The caller works too, and takes its ranges from the same `take`. `judged`
   * is what all the workers found; it rejects where one of them fails.
   */
  judge(ranges: readonly ByteRange[]): { take: TakeRange; judged: Promise<ValidatedRanges> }
}

/** The same as for judging the whole file. */
export type RangeRequest = TableRequest & { maxErrorRows?: number }

/**
 * Bytes of a range. So small that a thread which starts late or shares its core simply takes fewer, and
 * nobody waits long for the last one.
 */
const RANGE_SIZE = 4 * 1024 * 1024

/** Into how many ranges a file of `size` bytes is cut. */
export const rangeCount = (size: number, workers: RangeWorkers): number =>
  Math.max(workers.count + 1, Math.ceil(size / RANGE_SIZE))

/**
 * What a worker does: opens the file for itself and judges one range after another, as long as `take` gives
 * any. Throws `FileProblemError` where the file cannot be opened; `validateTable`, which cut it into ranges, has
 * opened it before.
 */
export async function validateRanges(
  request: RangeRequest,
  ranges: readonly ByteRange[],
  take: TakeRange,
): Promise<ValidatedRanges> {
  const table = await openTable(request)
  const columns = await compileColumns(request.fields, table.terminators, request.platform, table.firstColumn)
  return validateTaken(table.ranged!, columns, request, ranges, take)
}

/**
 * Judges a table in ranges, here and by the workers, and adds up what was found. `ranges` together are all
 * rows.
 *
 * The verdict is that of one thread. Where ranges meet is a guess, so a range counts only if the one before
 * it ended exactly where it begins. If it did not, a record reaches over the cut (the line feed that was
 * taken for its end stands inside quotes), and the range is judged again, from where that record begins.
 *
 * null where a range met something that may be wrong with the file as a whole: only reading from the start
 * can name it.
 */
export async function validateInRanges(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  ranges: readonly ByteRange[],
  request: Pick<RangeRequest, 'platform' | 'maxErrorRows'> & { workers: RangeWorkers },
): Promise<RowReports | null> {
  const { take, judged: elsewhere } = request.workers.judge(ranges)
  // Awaited below, or never. A rejection that nobody has asked for yet must not end the process.
  elsewhere.catch(() => {})
  const here = await validateTaken(table, columns, request, ranges, take)
  if (here.get(0) === null) return null
  const known = new Map([...here, ...(await elsewhere)])
  const reports = new RowReports(columns, request.platform, request.maxErrorRows)
  let rowsBefore = table.headerRowNumber
  let end = ranges[0].from
  for (const [index, { from, to }] of ranges.entries()) {
    let judged = from === end ? known.get(index)! : null
    if (judged === null || reports.lacksRowsOf(judged.findings))
      judged = await judge(table, columns, request, { from: end, to })
    if (judged === null) return null
    reports.add(judged.findings, rowsBefore)
    rowsBefore += judged.rowCount
    end = judged.end
  }
  return reports
}

/**
 * Judges ranges as long as there are any. They are taken in order, so that rows found in one come before
 * those of the next: of the next only as many are kept as are still wanted. Where a wrong guess makes that
 * too few, `validateInRanges` judges the range again.
 */
async function validateTaken(
  table: RangedTable,
  columns: readonly ColumnCheck[],
  { platform, maxErrorRows = errorScreenLimits.maxRows }: Pick<RangeRequest, 'platform' | 'maxErrorRows'>,
  ranges: readonly ByteRange[],
  take: TakeRange,
): Promise<ValidatedRanges> {
  const known = new Map<number, ValidatedRange | null>()
  let wanted = maxErrorRows
  for (let index = take(); index < ranges.length; index = take()) {
    const judged = await judge(table, columns, { platform, maxErrorRows: wanted }, ranges[index])
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
  { platform, maxErrorRows }: Pick<RangeRequest, 'platform' | 'maxErrorRows'>,
  range: ByteRange,
): Promise<ValidatedRange | null> {
  const reports = new RowReports(columns, platform, maxErrorRows)
  const judged = await table.validateRange(columns, reports, range)
  return judged && { ...judged, findings: reports.findings() }
}
