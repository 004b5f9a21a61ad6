import type { CompiledTest } from '#row-rules/compile-test.ts'
import { type Choice, type Grouping, Outcome } from '#row-rules/groupings.ts'
import type { CompiledRowRule } from '#row-rules/unmet-test.ts'

const BITS = 32
/** A cell that is compared with more values is no code: it filters no rules. */
const MOST_GROUPS = 5000
const NOT_ASKED = -1

/** Sets of rules as bits. */
type Filter = {
  readonly grouping: Grouping
  /** How many tests the grouping decides. */
  tests: number
  /** Those with a test that the grouping decides. */
  readonly rules: Uint32Array
  /** Those with a demand that a later filter decides. */
  readonly later: Uint32Array
  /** By group, those whose conditions may hold. */
  readonly held: Uint32Array
  /** By group, those with a demand that may not be met. */
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
  /** By filter, the group of the row. */
  readonly #groups: Int32Array
  /** The rules that may find something in the row asked last, as bits. */
  readonly possible: Uint32Array

  constructor(rules: readonly CompiledRowRule[]) {
    this.#all = new Uint32Array(Math.ceil(rules.length / BITS))
    for (const { index } of rules) add(this.#all, 0, index)
    this.#undecided = this.#all.slice().fill(0)
    this.possible = this.#all.slice()
    const filters = new Map<Grouping, Filter>()
    for (const rule of rules) {
      for (const test of neededTests(rule)) this.#addNeeded(filters, rule.index, test)
      for (const test of [...rule.then, ...rule.otherwise]) this.#addDemand(filters, rule.index, test)
    }
    // What decides the most tests comes first.
    this.#filters = [...filters.values()].toSorted((one, other) => other.tests - one.tests)
    this.#groups = new Int32Array(filters.size)
    const later = this.#undecided.slice().fill(0)
    for (const filter of this.#filters.toReversed()) {
      filter.later.set(later)
      for (let at = 0; at < filter.unmet.length; at++) later[at % later.length] |= filter.unmet[at]
    }
  }

  /** Reads only the cells that may still decide something. */
  find(): void {
    this.#groups.fill(NOT_ASKED)
    for (let word = 0; word < this.possible.length; word++) this.possible[word] = this.#possibleIn(word)
  }

  /** Of 32 rules. */
  #possibleIn(word: number): number {
    const filters = this.#filters
    const groups = this.#groups
    let possible = this.#all[word]
    let unmet = this.#undecided[word]
    for (let index = 0; possible !== 0 && index < filters.length; index++) {
      const filter = filters[index]
      if ((possible & filter.rules[word]) === 0) continue
      if (groups[index] === NOT_ASKED) groups[index] = filter.grouping.group()
      const at = groups[index] * this.possible.length + word
      unmet |= filter.unmet[at]
      possible &= filter.held[at] & (unmet | filter.later[word])
    }
    return possible
  }

  #addNeeded(filters: Map<Grouping, Filter>, rule: number, { choice }: CompiledTest): void {
    const filter = this.#filterOf(filters, choice, rule)
    if (filter === null) return
    for (let group = 0; group < choice!.grouping.groupCount; group++) {
      const outcome = choice!.outcomeOf(group)
      if (outcome !== null && outcome !== Outcome.Met) remove(filter.held, group * this.#all.length, rule)
    }
  }

  #addDemand(filters: Map<Grouping, Filter>, rule: number, { choice }: CompiledTest): void {
    const filter = this.#filterOf(filters, choice, rule)
    if (filter === null) return add(this.#undecided, 0, rule)
    for (let group = 0; group < choice!.grouping.groupCount; group++)
      if ((choice!.outcomeOf(group) ?? Outcome.Unmet) === Outcome.Unmet)
        add(filter.unmet, group * this.#all.length, rule)
  }

  #filterOf(filters: Map<Grouping, Filter>, choice: Choice | undefined, rule: number): Filter | null {
    if (choice === undefined || choice.grouping.groupCount > MOST_GROUPS) return null
    const { grouping } = choice
    let filter = filters.get(grouping)
    if (filter === undefined) {
      const none = this.#all.slice().fill(0)
      const held = new Uint32Array(grouping.groupCount * none.length)
      for (let from = 0; from < held.length; from += none.length) held.set(this.#all, from)
      const unmet = held.slice().fill(0)
      filters.set(grouping, (filter = { grouping, tests: 0, rules: none, later: none.slice(), held, unmet }))
    }
    filter.tests++
    add(filter.rules, 0, rule)
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
