import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import { type Diagnosis, emptiesCell } from '#causes/diagnosis.ts'
import { type DiagnosisCount, Reading } from '#causes/diagnosis-count.ts'

/** A bit of `suggested` above those of each `Reading`: the suggestion is ''. */
const EMPTIES = 1 << 4

/**
 * Counts cells of one column with the same fault, `DiagnosisCount` and suggestions by reading. Each cell
 * raises one number; `settle` adds it to its totals, once for thousands of cells.
 */
export class Tally {
  cells = 0
  readonly code: CellFaultCode
  /** By which readings of their column they have a suggestion, as bits. */
  readonly suggested: number
  readonly count: DiagnosisCount
  /** Whether `count` has room for further rows. */
  keepsRows = false
  /** 1 if their suggestion is to empty them, else 0: added as `CellMemo.empty` is. */
  readonly emptied: 0 | 1
  readonly #errors: { count: number }

  constructor(code: CellFaultCode, suggested: number, count: DiagnosisCount, errors: { count: number }) {
    this.code = code
    this.suggested = suggested
    this.emptied = suggested >= EMPTIES ? 1 : 0
    this.count = count
    this.#errors = errors
  }

  /** Adds the cells counted since the last call to the errors of the column and to `count`. */
  settle(): void {
    const { cells, count, suggested } = this
    this.cells = 0
    this.#errors.count += cells
    count.cells += cells
    count.rows += cells
    for (let reading = 0; reading < count.suggested.length; reading++)
      if (suggested & (1 << reading)) count.suggested[reading] += cells
  }
}

/** `Tally.suggested` of a cell with this diagnosis. */
export function suggestedBy(diagnosis: Diagnosis): number {
  const { suggestion, readings } = diagnosis
  const open = (suggestion === null ? 0 : 1 << Reading.Open) | (emptiesCell(diagnosis) ? EMPTIES : 0)
  if (readings === null) return suggestion === null ? 0 : open | ALWAYS
  const first = readings[0] === null ? 0 : 1 << Reading.First
  return open | first | (readings[1] === null ? 0 : 1 << Reading.Second)
}

const ALWAYS = (1 << Reading.First) | (1 << Reading.Second) | (1 << Reading.Both)
