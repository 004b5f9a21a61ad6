import { storable, storableJson } from '@veridict/contract/notation/storable-text'
import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { Warnings } from '@veridict/contract/model/verdict'
import { packCauses, type PackedCause, type ReportedErrors } from '#platform/database/pack-causes.ts'

/** What is the same in thousands of cell errors, so it is sent and stored once. */
type Fault = Pick<CellError, 'columnPosition' | 'label' | 'error' | 'expected'>

/** JSON that the server does not parse: a hundred rows of a wide file have over a million cell errors. */
export type PackedReports = {
  /** Whether these are the first of a submission. */
  isFirst: boolean
  firstFaultNumber: number
  /** An array of faults that are new in this part. */
  faults: string
  /** `errors`: fault number, value, cause and suggestion of each; for rules, also rule and columns. */
  rows: { rowNumber: number; key: string; totalCount: number; errors: string }[]
  causes: PackedCause[]
  /** In the order of the rule book. */
  warnings: PackedCause[]
}

/** Characters of JSON; few, so that other requests are handled in between. Most files are one part. */
const PART_LENGTH = 256 * 1024

/** Parts have a few hundred kilobytes, or a single row or cause. */
export function* packReports(errors: ReportedErrors, warnings?: Warnings): Generator<PackedReports> {
  const known = new KnownFaults()
  const kept = { ...errors, rows: errors.rows.slice(0, errorScreenLimits.maxRows) }
  let isFirst = true
  const partWith = (content: Partial<PackedReports>): PackedReports => {
    const part = { isFirst, ...known.takeNew(), rows: [], causes: [], warnings: [], ...content }
    isFirst = false
    return part
  }
  const lengthOf = ({ cause, rows }: PackedCause) => cause.length + rows.length
  const rowLength = ({ key, errors }: PackedReports['rows'][number]) => key.length + errors.length
  for (const rows of partsOf(packRows(kept.rows, known), rowLength)) yield partWith({ rows })
  const causes = kept.causes.slice(0, errorScreenLimits.maxCauses)
  for (const part of partsOf(packCauses({ ...kept, causes }), lengthOf)) yield partWith({ causes: part })
  if (warnings === undefined) return
  const warned = packCauses({ ...warnings, rows: warnings.warningRows })
  for (const part of partsOf(warned, lengthOf)) yield partWith({ warnings: part })
}

/** A generator, so that each part is sent before `known` gets the faults of the next one. */
function* packRows(rows: readonly RowReport[], known: KnownFaults): Generator<PackedReports['rows'][number]> {
  for (const { rowNumber, key, totalCount, columnValidationErrors } of rows) {
    const errors = JSON.stringify(
      columnValidationErrors.map((error) => [
        known.numberOf(error),
        storable(error.value),
        error.cause,
        error.suggestion === null ? null : storable(error.suggestion),
        ...(error.rule === undefined ? [] : [storable(error.rule), error.columns]),
      ]),
    )
    yield { rowNumber, key: storableJson(key), totalCount, errors }
  }
}

/** A part ends with the item that makes it long enough. */
function* partsOf<T>(items: Iterable<T>, lengthOf: (item: T) => number): Generator<T[]> {
  let part: T[] = []
  let length = 0
  for (const item of items) {
    part.push(item)
    length += lengthOf(item)
    if (length < PART_LENGTH) continue
    yield part
    ;[part, length] = [[], 0]
  }
  if (part.length > 0) yield part
}

/** Numbers faults in the order in which they come. */
class KnownFaults {
  /** The faults of each column, at most one for each stored row. */
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

  /** Returns the faults that were numbered since the last call. */
  takeNew(): Pick<PackedReports, 'firstFaultNumber' | 'faults'> {
    const taken = this.#new
    this.#new = []
    return { firstFaultNumber: this.#count - taken.length, faults: JSON.stringify(taken) }
  }
}
