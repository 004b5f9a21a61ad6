import { errorScreenLimits } from '@veridict/contract/limits'
import { findSecondHeadings } from '#causes/find-second-headings.ts'
import { type CompiledDictionary, compileDictionary } from '#row-rules/compile-row-rules.ts'
import { type RangeReport, type RowLimits, RowReports } from '#rows/row-reports.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { ByteRange, RangedTable } from '#source/table-source.ts'

/** What was found in one range, as plain data that threads can send. */
export type ValidatedRange = {
  /**
   * Where the first record begins that does not end within the range; the range's end, if one begins there.
   */
  end: number
  /** Rows of the range, blank ones included. */
  rowCount: number
  report: RangeReport
}

/** By the index of the range. null where the file as a whole may have a problem. */
export type ValidatedRanges = ReadonlyMap<number, ValidatedRange | null>

/**
 * Returns the index of the next free range; the number of ranges or more when none is left. All workers share
 * it.
 */
export type TakeRange = () => number

/** Threads beside the caller's that validate ranges of the same file by calling `validateRanges`. */
export type RangeWorkers = {
  /** How many there are, without the caller. */
  readonly count: number
  /**
   * Starts the workers on `ranges`. The caller works too, and takes its ranges from the same `take`.
   * `validated` resolves to the results of all workers, and rejects if one of them fails.
   */
  validate(ranges: readonly ByteRange[]): { take: TakeRange; validated: Promise<ValidatedRanges> }
}

/** A request to validate a range has the same settings as one for the whole file. */
export type RangeRequest = TableRequest & RowLimits

type ReportRequest = Pick<RangeRequest, 'platform'> & RowLimits

/** The smallest range, in bytes. */
const RANGE_SIZE = 4 * 1024 * 1024

/**
 * Each round gives every thread one range; together they are half of what is left. So ranges are few, and the
 * wait for the last one is short, also for a thread that starts late or shares its core. They are few because
 * each finds its own first examples and rows of every cause, which takes some 7 ms with 1 % bad cells: 56
 * ranges of 236 MB took a fifth more processor time than 16 of one size.
 */
const ROUNDS = 4

/** The parts of a file of `size` bytes that its ranges are, in their order; together they are 1. */
export function rangeShares(size: number, workers: Pick<RangeWorkers, 'count'>): number[] {
  const threads = workers.count + 1
  const shares: number[] = []
  for (let round = 1, left = 1; left > 0; round++) {
    const half = left / 2
    const isLast = round === ROUNDS || (half * size) / threads < RANGE_SIZE
    const part = isLast ? left : half
    for (let thread = 0; thread < threads; thread++) shares.push(part / threads)
    left -= part
  }
  return shares
}

/**
 * What a worker does: opens the file for itself and validates one range after another, until `take` has no
 * more. Throws `FileProblemError` where the file cannot be opened; `validateTable` has opened it before.
 */
export async function validateRanges(
  request: RangeRequest,
  ranges: readonly ByteRange[],
  take: TakeRange,
): Promise<ValidatedRanges> {
  const table = await openTable(request)
  const compiled = await compileDictionary(request, table)
  const headingEnd = await findSecondHeadings(table, compiled.columns)
  return validateTaken(table.ranged!, compiled, request, ranges, take, headingEnd)
}

/**
 * Validates a table in ranges, here and by the workers, and adds up what was found. `ranges` together are all
 * rows.
 *
 * The verdict is that of one thread. Each boundary is a guess, so a range counts only if the one before it
 * ended exactly where it begins. If it did not, a record crosses the boundary (the line feed there is
 * inside quotes), and the range is validated again from where that record begins.
 *
 * null where the file as a whole may have a problem: only reading from the start can find it.
 */
export async function validateInRanges(
  table: RangedTable,
  compiled: CompiledDictionary,
  ranges: readonly ByteRange[],
  request: ReportRequest & { workers: RangeWorkers },
  headingEnd: number,
): Promise<RowReports | null> {
  const { take, validated: elsewhere } = request.workers.validate(ranges)
  // It is awaited below, or never after an early return. A rejection before that must not end the process.
  elsewhere.catch(() => {})
  const here = await validateTaken(table, compiled, request, ranges, take, headingEnd)
  if (here.get(0) === null) return null
  const known = new Map([...here, ...(await elsewhere)])
  const reports = new RowReports(compiled.columns, request.platform, request, headingEnd, compiled.rules)
  let rowsBefore = table.headerRowNumber
  let end = ranges[0].from
  for (const [index, { from, to }] of ranges.entries()) {
    // How many rows are before it, and whether second headings are beyond, its worker did not know.
    const isKnown = from === end && (index === 0 || rowsBefore >= headingEnd)
    let validated = isKnown ? known.get(index)! : null
    if (validated === null || reports.lacksRowsOf(validated.report))
      validated = await validateOne(table, compiled, request, { from: end, to }, headingEnd - rowsBefore)
    if (validated === null) return null
    reports.add(validated.report, rowsBefore)
    rowsBefore += validated.rowCount
    end = validated.end
  }
  return reports
}

/**
 * Validates ranges as long as there are any. They are taken in order, so each one needs only those rows with
 * errors that the earlier ones leave room for. If an earlier one was cut at a wrong place, these may be too
 * few; `validateInRanges` then validates the range again.
 */
async function validateTaken(
  table: RangedTable,
  compiled: CompiledDictionary,
  request: ReportRequest,
  ranges: readonly ByteRange[],
  take: TakeRange,
  headingEnd: number,
): Promise<ValidatedRanges> {
  const known = new Map<number, ValidatedRange | null>()
  let { maxErrorRows = errorScreenLimits.maxRows } = request
  const { maxWarningRows = maxErrorRows } = request
  for (let index = take(); index < ranges.length; index = take()) {
    const headings = index === 0 ? headingEnd - table.headerRowNumber : 0
    const validated = await validateOne(
      table,
      compiled,
      { ...request, maxErrorRows, maxWarningRows },
      ranges[index],
      headings,
    )
    known.set(index, validated)
    // The first range begins where the rows do, so a problem in it is real and not a wrong guess: stop.
    if (validated === null && index === 0) break
    maxErrorRows -= validated?.report.rows.length ?? 0
  }
  return known
}

async function validateOne(
  table: RangedTable,
  compiled: CompiledDictionary,
  request: ReportRequest,
  range: ByteRange,
  /** The last of the range's rows that are second headings; 0 or less if there are none. */
  headingEnd: number,
): Promise<ValidatedRange | null> {
  const reports = new RowReports(compiled.columns, request.platform, request, headingEnd, compiled.rules)
  const validated = await table.validateRange(compiled.columns, reports, compiled.rules, range)
  return validated && { ...validated, report: reports.rangeReport() }
}
