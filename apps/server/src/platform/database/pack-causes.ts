import { storableJson } from '@veridict/contract/notation/storable-text'
import type { Cause } from '@veridict/contract/model/cause'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { Verdict } from '@veridict/contract/model/verdict'

/** What is stored of a verdict besides its counts. */
export type ReportedErrors = Pick<Extract<Verdict, { kind: 'rowErrors' }>, 'rows' | 'causes' | 'causeRows'>

/** JSON that the server does not parse. */
export type PackedCause = { place: number; causeId: string; cause: string; rows: string }

/** Causes whose number of cells is kept, for the comparison with a later upload. */
const MAX_COUNTS = 1000

export const countsOf = (causes: readonly Cause[]): [string, number][] =>
  causes.slice(0, MAX_COUNTS).map(({ id, cells }) => [id, cells])

/** Causes, each with its first rows and with its cells in the rows that are reported in full. */
export function packCauses({ rows, causes, causeRows }: ReportedErrors): PackedCause[] {
  const reported = rowsByCause(rows, new Set(causes.map(({ id }) => id)))
  const first = new Map(causeRows.map((found) => [found.cause, found.rows]))
  return causes.map((cause, place) => ({
    place,
    causeId: cause.id,
    cause: storableJson(cause),
    rows: storableJson(joined(first.get(cause.id) ?? [], reported.get(cause.id) ?? [])),
  }))
}

/** The rows of each wanted cause, with the cells of that cause only. */
function rowsByCause(rows: readonly RowReport[], wanted: ReadonlySet<string>): Map<string, RowReport[]> {
  const byCause = new Map([...wanted].map((cause) => [cause, [] as RowReport[]]))
  for (const row of rows)
    for (const error of row.columnValidationErrors) {
      const ofCause = byCause.get(error.cause)
      if (ofCause === undefined) continue
      const last = ofCause.at(-1)
      if (last?.rowNumber === row.rowNumber) {
        last.totalCount++
        last.columnValidationErrors.push(error)
      } else ofCause.push({ ...row, totalCount: 1, columnValidationErrors: [error] })
    }
  return byCause
}

/** The most cells kept of one row: a cause may concern the whole row, which can have 16,384. */
const MAX_CELLS = 1000

/** Each row once, in the order of the file. */
function joined(one: readonly RowReport[], other: readonly RowReport[]): RowReport[] {
  const byNumber = new Map([...one, ...other].map((row) => [row.rowNumber, row]))
  return [...byNumber.values()]
    .sort((a, b) => a.rowNumber - b.rowNumber)
    .map((row) => ({ ...row, columnValidationErrors: row.columnValidationErrors.slice(0, MAX_CELLS) }))
}
