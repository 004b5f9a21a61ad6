import { type Choice, type CompiledTest, Outcome } from '#row-rules/compile-test.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import type { CompiledRowRule } from '#row-rules/unmet-test.ts'

const BITS = 32
/** A cell that is compared with more values is no code: it filters no rules. */
const MOST_CONSTANTS = 5000

/** Sets of rules, by the constant of a cell: those whose conditions it leaves possible. */
type CellFilter = {
  readonly cell: RuleCell
  readonly ofConstants: Uint32Array[]
  readonly ofOthers: Uint32Array
  readonly ofBlank: Uint32Array
}

/**
 * Finds the rules that may demand something of a row. Most rules have a condition on a few codes, so that
 * few of hundreds hold in a row: for each constant of a cell, the rules that it leaves possible are a set of
 * bits.
 */
export class RuleFilter {
  readonly #all: Uint32Array
  readonly #filters: readonly CellFilter[]
  /** The rules that the row asked last leaves possible, as bits. */
  readonly possible: Uint32Array

  constructor(rules: readonly CompiledRowRule[]) {
    this.#all = new Uint32Array(Math.ceil(rules.length / BITS))
    for (const { index } of rules) this.#all[index >>> 5] |= 1 << (index & (BITS - 1))
    this.possible = this.#all.slice()
    const filters = new Map<RuleCell, CellFilter>()
    for (const rule of rules) for (const { choice } of neededTests(rule)) this.#add(filters, rule, choice)
    this.#filters = [...filters.values()]
  }

  find(): void {
    const { possible } = this
    possible.set(this.#all)
    for (const { cell, ofConstants, ofOthers, ofBlank } of this.#filters) {
      // Of a cell with a fault it does not matter: rules with such a condition are skipped.
      const constant = cell.fault === null ? cell.constant : -1
      const set = constant < 0 ? (cell.isBlank ? ofBlank : ofOthers) : (ofConstants[constant] ?? ofOthers)
      for (let word = 0; word < possible.length; word++) possible[word] &= set[word]
    }
  }

  #add(filters: Map<RuleCell, CellFilter>, { index }: CompiledRowRule, choice: Choice | undefined): void {
    if (choice === undefined || choice.cell.constantCount > MOST_CONSTANTS) return
    const { cell, ofConstants, ofOthers, ofBlank } = choice
    let filter = filters.get(cell)
    if (filter === undefined) {
      const all = () => this.#all.slice()
      const sets = Array.from({ length: cell.constantCount }, all)
      filters.set(cell, (filter = { cell, ofConstants: sets, ofOthers: all(), ofBlank: all() }))
    }
    for (const [constant, set] of filter.ofConstants.entries())
      if ((ofConstants[constant] ?? ofOthers) !== Outcome.Met) remove(set, index)
    if (ofOthers !== Outcome.Met) remove(filter.ofOthers, index)
    if (ofBlank !== Outcome.Met) remove(filter.ofBlank, index)
  }
}

/** The tests that a rule needs to be met before it demands something. */
const neededTests = ({ joint, condition, otherwise }: CompiledRowRule): readonly CompiledTest[] =>
  otherwise.length === 0 && (joint === 'all' || condition.length === 1) ? condition : []

function remove(set: Uint32Array, index: number): void {
  set[index >>> 5] &= ~(1 << (index & (BITS - 1)))
}
