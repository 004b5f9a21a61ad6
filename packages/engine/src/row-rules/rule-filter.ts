import type { CompiledTest } from '#row-rules/compile-test.ts'
import { type Choice, type Grouping, Outcome } from '#row-rules/groupings.ts'
import type { CompiledRowRule } from '#row-rules/unmet-test.ts'

const BITS = 32
/** A cell that is compared with more values is no code: it filters no rules. */
const MOST_GROUPS = 5000

/** By group, sets of rules as bits. */
type Filter = {
  readonly grouping: Grouping
  /** Those whose conditions may hold. */
  readonly held: Uint32Array
  /** Those with a demand that may not be met. */
  readonly unmet: Uint32Array
}

/**
 * Finds the rules that may find something in a row. In most rows these are none: conditions are about a few
 * codes, and demands are met. So most rules are not asked, but decided together, as sets of bits.
 */
export class RuleFilter {
  readonly #all: Uint32Array
  /** The rules with a demand that no grouping decides. */
  readonly #undecided: Uint32Array
  readonly #filters: readonly Filter[]
  readonly #unmet: Uint32Array
  /** The rules that may find something in the row asked last, as bits. */
  readonly possible: Uint32Array

  constructor(rules: readonly CompiledRowRule[]) {
    this.#all = new Uint32Array(Math.ceil(rules.length / BITS))
    for (const { index } of rules) add(this.#all, 0, index)
    this.#undecided = this.#all.slice().fill(0)
    this.#unmet = this.#undecided.slice()
    this.possible = this.#all.slice()
    const filters = new Map<Grouping, Filter>()
    for (const rule of rules) {
      for (const test of neededTests(rule)) this.#addNeeded(filters, rule.index, test)
      for (const test of [...rule.then, ...rule.otherwise]) this.#addDemand(filters, rule.index, test)
    }
    this.#filters = [...filters.values()]
  }

  find(): void {
    const { possible } = this
    const unmet = this.#unmet
    const words = possible.length
    possible.set(this.#all)
    unmet.set(this.#undecided)
    for (const filter of this.#filters) {
      const from = filter.grouping.group() * words
      for (let word = 0; word < words; word++) {
        possible[word] &= filter.held[from + word]
        unmet[word] |= filter.unmet[from + word]
      }
    }
    for (let word = 0; word < words; word++) possible[word] &= unmet[word]
  }

  #addNeeded(filters: Map<Grouping, Filter>, rule: number, { choice }: CompiledTest): void {
    const filter = this.#filterOf(filters, choice)
    if (filter === null) return
    for (let group = 0; group < choice!.grouping.groupCount; group++) {
      const outcome = choice!.outcomeOf(group)
      if (outcome !== null && outcome !== Outcome.Met) remove(filter.held, group * this.#all.length, rule)
    }
  }

  #addDemand(filters: Map<Grouping, Filter>, rule: number, { choice }: CompiledTest): void {
    const filter = this.#filterOf(filters, choice)
    if (filter === null) return add(this.#undecided, 0, rule)
    for (let group = 0; group < choice!.grouping.groupCount; group++)
      if ((choice!.outcomeOf(group) ?? Outcome.Unmet) === Outcome.Unmet)
        add(filter.unmet, group * this.#all.length, rule)
  }

  #filterOf(filters: Map<Grouping, Filter>, choice: Choice | undefined): Filter | null {
    if (choice === undefined || choice.grouping.groupCount > MOST_GROUPS) return null
    const { grouping } = choice
    let filter = filters.get(grouping)
    if (filter === undefined) {
      const words = this.#all.length
      const held = new Uint32Array(grouping.groupCount * words)
      for (let from = 0; from < held.length; from += words) held.set(this.#all, from)
      filters.set(grouping, (filter = { grouping, held, unmet: new Uint32Array(held.length) }))
    }
    return filter
  }
}

/** The tests that a rule needs to be met before it demands something. */
const neededTests = ({ joint, condition, otherwise }: CompiledRowRule): readonly CompiledTest[] =>
  otherwise.length === 0 && (joint === 'all' || condition.length === 1) ? condition : []

function add(sets: Uint32Array, from: number, index: number): void {
  sets[from + (index >>> 5)] |= 1 << (index & (BITS - 1))
}

function remove(sets: Uint32Array, from: number, index: number): void {
  sets[from + (index >>> 5)] &= ~(1 << (index & (BITS - 1)))
}
