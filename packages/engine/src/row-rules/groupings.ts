import type { CellFaultCode } from '@veridict/contract/model/cell-error'

/** What a test finds in a row. A blank cell may leave nothing to ask: not met, and no error either. */
export const Outcome = { Unmet: 0, Met: 1, NotAsked: 2 } as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

/** Puts the cells of a row into one of a few groups, numbered from 0, which decide some tests alone. */
export type Grouping = { readonly groupCount: number; group(): number }

/** What a test finds by the group of a row; null where only the test knows. */
export type Choice = { readonly grouping: Grouping; readonly outcomeOf: (group: number) => Outcome | null }

const BLANK = 0
const UNKNOWN = 1
/** The first group of cells that are filled. */
const FILLED = 2

/** See `RuleCell`. */
type ConstantCell = {
  readonly isBlank: boolean
  readonly fault: CellFaultCode | null
  readonly constant: number
  readonly constantCount: number
}

/** By which of its constants a cell has. */
export class ConstantGroups implements Grouping {
  readonly #cell: ConstantCell

  constructor(cell: ConstantCell) {
    this.#cell = cell
  }

  get groupCount(): number {
    return FILLED + this.#cell.constantCount
  }

  group(): number {
    // A cell with a fault may have no canonical value. Tests that read it are skipped.
    const constant = this.#cell.fault === null ? this.#cell.constant : -1
    return constant >= 0 ? FILLED + constant : this.#cell.isBlank ? BLANK : UNKNOWN
  }

  choice(ofConstants: Uint8Array, ofOthers: Outcome, ofBlank: Outcome): Choice {
    const outcomeOf = (group: number) =>
      group === BLANK ? ofBlank : ((ofConstants[group - FILLED] as Outcome | undefined) ?? ofOthers)
    return { grouping: this, outcomeOf }
  }
}

/** By where a value is among the constants that it is compared with. */
export class OrderGroups implements Grouping {
  readonly #isBlank: () => boolean
  /** NaN where only the test knows. */
  readonly #value: () => number
  readonly #points: number[] = []

  constructor(isBlank: () => boolean, value: () => number) {
    this.#isBlank = isBlank
    this.#value = value
  }

  get groupCount(): number {
    return FILLED + 2 * this.#points.length + 1
  }

  group(): number {
    if (this.#isBlank()) return BLANK
    const points = this.#points
    const value = this.#value()
    if (Number.isNaN(value)) return UNKNOWN
    let below = 0
    while (below < points.length && points[below] < value) below++
    return FILLED + 2 * below + (points[below] === value ? 1 : 0)
  }

  /** To be asked when all choices are made. */
  choice(point: number, holds: (sign: number) => boolean): Choice {
    if (!this.#points.includes(point)) this.#points.push(point)
    this.#points.sort((one, other) => one - other)
    const outcomeOf = (group: number) => {
      if (group < FILLED) return group === BLANK ? Outcome.NotAsked : null
      return holds(group - FILLED - 2 * this.#points.indexOf(point) - 1) ? Outcome.Met : Outcome.Unmet
    }
    return { grouping: this, outcomeOf }
  }
}
