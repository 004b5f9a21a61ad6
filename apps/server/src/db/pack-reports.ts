import { storable } from '@veridict/contract/notation/storable-text'
import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError } from '@veridict/contract/model/cell-error'
import { packCauses, type PackedCause, type ReportedErrors } from '#db/pack-causes.ts'

/** What is the same in thousands of cell errors, so it is sent and stored once. */
type Fault = Omit<CellError, 'value' | 'cause' | 'suggestion'>

/**
 * Reports of some rows for the database, as JSON that the server does not parse: a hundred rows of a wide
 * file have more than a million cell errors.
 */
export type PackedReports = {
  /** Whether these are the first of a submission. */
  isFirst: boolean
  /** The number of the first of `faults`. */
  firstFault: number
  /** An array of faults that are new in this part. */
  faults: string
  /** `errors`: an array with fault number, value, cause and suggestion of each cell error. */
  rows: { rowNumber: number; key: string; totalCount: number; errors: string }[]
  causes: PackedCause[]
}

/**
 * In characters of JSON. Small enough that the server handles other requests in between; most files are one
 * part.
 */
const PART_LENGTH = 256 * 1024

/**
 * Packs the first rows with errors and the largest causes, in parts of a few hundred kilobytes, or of a
 * single row or cause.
 */
export function* packReports(verdict: ReportedErrors): Generator<PackedReports> {
  const known = new KnownFaults()
  const kept = verdict.rows.slice(0, errorScreenLimits.maxRows)
  let rows: PackedReports['rows'] = []
  let length = 0
  let isFirst = true
  for (const [index, { rowNumber, key, totalCount, columnValidationErrors }] of kept.entries()) {
    const errors = JSON.stringify(
      columnValidationErrors.map((error) => [
        known.numberOf(error),
        storable(error.value),
        error.cause,
        error.suggestion === null ? null : storable(error.suggestion),
      ]),
    )
    const packedKey = JSON.stringify(
      key.map(({ label, value }) => ({ label: storable(label), value: storable(value) })),
    )
    rows.push({ rowNumber, key: packedKey, totalCount, errors })
    length += packedKey.length + errors.length
    if (length < PART_LENGTH && index < kept.length - 1) continue
    yield { isFirst, ...known.takeNew(), rows, causes: [] }
    ;[rows, length, isFirst] = [[], 0, false]
  }
  for (const causes of partsOf(packCauses({ ...verdict, rows: kept })))
    yield { isFirst: false, ...known.takeNew(), rows: [], causes }
}

function* partsOf(causes: readonly PackedCause[]): Generator<PackedCause[]> {
  let part: PackedCause[] = []
  let length = 0
  for (const cause of causes) {
    part.push(cause)
    length += cause.cause.length + cause.rows.length
    if (length < PART_LENGTH) continue
    yield part
    ;[part, length] = [[], 0]
  }
  if (part.length > 0) yield part
}

/** Numbers faults in the order in which they come. */
class KnownFaults {
  /** By column: at most one for each row that is kept. */
  readonly #byColumn = new Map<string, (Fault & { number: number })[]>()
  #count = 0
  #new: Fault[] = []

  numberOf({ columnPosition, label, error, expected }: CellError): number {
    const faults = this.#byColumn.get(columnPosition) ?? []
    const found = faults.find(
      (fault) => fault.error === error && fault.expected === expected && fault.label === label,
    )
    if (found) return found.number
    const number = this.#count++
    this.#byColumn.set(columnPosition, [...faults, { columnPosition, label, error, expected, number }])
    this.#new.push({
      columnPosition,
      label: storable(label),
      error: storable(error),
      expected: storable(expected),
    })
    return number
  }

  /** Those that were not taken before. */
  takeNew(): Pick<PackedReports, 'firstFault' | 'faults'> {
    const taken = this.#new
    this.#new = []
    return { firstFault: this.#count - taken.length, faults: JSON.stringify(taken) }
  }
}
