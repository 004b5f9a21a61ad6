import type { Field } from '@veridict/contract/model/field'
import { twoDigits } from '../generate/cell-makers.ts'
import { type Counts, Findings } from '../findings.ts'
import { type HandCheck, handChecks } from './hand-checks.ts'

/** Checks rows of cells as readers of workbooks return them: strings, numbers, dates, rich text. */
export class WorkbookRows {
  readonly #checks: readonly HandCheck[]
  readonly #isDate: readonly boolean[]
  readonly #findings: Findings

  constructor(fields: readonly Field[]) {
    this.#checks = handChecks(fields)
    this.#isDate = fields.map(({ rule }) => rule.type === 'date')
    this.#findings = new Findings(fields.length)
  }

  /** The first cell of `cells` has the index `offset`. */
  check(cells: readonly unknown[], offset = 0): void {
    for (let column = 0; column < this.#checks.length; column++) {
      const text = cellText(cells[column + offset], this.#isDate[column])
      if (!this.#checks[column](text)) this.#findings.badCell(this.#findings.rows, column, text)
    }
    this.#findings.rows++
  }

  counts(): Counts {
    return this.#findings.counts()
  }
}

const DAY_MILLISECONDS = 86_400_000
/** Serial number of 1 January 1970 in the 1900 date system. */
const EPOCH_SERIAL = 25_569

function cellText(value: unknown, isDate: boolean): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return isDate ? dateText(new Date((value - EPOCH_SERIAL) * DAY_MILLISECONDS)) : String(value)
  return value instanceof Date ? dateText(value) : String(value)
}

const dateText = (date: Date): string =>
  `${twoDigits(date.getUTCDate())}/${twoDigits(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
