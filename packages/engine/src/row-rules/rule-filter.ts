import type { CompiledTest } from '#row-rules/compile-test.ts'
import { type Choice, type Grouping, Outcome, type RuleExports } from '#row-rules/groupings.ts'
import type { CompiledRowRule } from '#row-rules/unmet-test.ts'

const BITS = 32
/** A cell that is compared with more values holds no codes: it filters no rules. */
const MOST_GROUPS = 5000
const NOT_ASKED = -1
const ALL_BITS = 2 ** 32 - 1

/** `sets` of rules as bits, of as many words each, as the kernel reads them, too. */
type Filter = {
  readonly grouping: Grouping
  /** How many tests the grouping decides. */
  tests: number
  /**
   * Rules with a test that the grouping decides; those with a demand that a later filter decides; then by
   * group, those whose conditions may hold, and those with a demand that may not be met.
   */
  readonly sets: Uint32Array
}

/**
 * Finds the rules that may find something in a row: mostly none, since conditions are about a few codes and
 * demands are met. So all are decided together, as sets of bits, and only the rest is asked one by one.
 */
export class RuleFilter {
  readonly #all: Uint32Array
  /** The rules with a demand that no grouping decides. */
  readonly #undecided: Uint32Array
  /** What of both the kernel looks for: keys of all rows are collected without it. */
  readonly #inKernel: readonly [all: Uint32Array, undecided: Uint32Array]
  readonly #filters: readonly Filter[]
  /** By filter, the group of the row. */
  readonly #groups: Int32Array
  /** The rules that may find something in the row asked last, as bits. */
  readonly possible: Uint32Array

  constructor(rules: readonly CompiledRowRule[]) {
    this.#all = new Uint32Array(Math.ceil(rules.length / BITS))
    this.#undecided = this.#all.slice()
    this.possible = this.#all.slice()
    this.#inKernel = [this.#all.slice(), this.#all.slice()]
    const filters = new Map<Grouping, Filter>()
    for (const rule of rules) {
      add(this.#all, 0, rule.index)
      for (const test of neededTests(rule)) this.#addNeeded(filters, rule.index, test)
      for (const test of [...rule.then, ...rule.otherwise]) this.#addDemand(filters, rule.index, test)
    }
    // What decides the most tests comes first.
    this.#filters = [...filters.values()].toSorted((one, other) => other.tests - one.tests)
    this.#groups = new Int32Array(filters.size)
    const later = this.#all.map(() => 0)
    for (const { sets } of this.#filters.toReversed()) {
      sets.set(later, later.length)
      for (let at = 3 * later.length; at < sets.length; at += 2 * later.length)
        for (let word = 0; word < later.length; word++) later[word] |= sets[at + word]
    }
  }

  /** Describes itself to the kernel, which then finds the records in which a rule may find something. */
  describe(exports: RuleExports): void {
    const { memory, allocate, describeRules, addFilter } = exports
    const [all, undecided] = this.#inKernel
    if (all.every((bits) => bits === 0)) return
    const write = (words: ArrayLike<number>) => {
      const address = allocate(words.length * 4)
      new Uint32Array(memory.buffer, address).set(words)
      return address
    }
    // With room for what is possible and unmet in a record.
    describeRules(this.#filters.length, all.length, write([...all, ...undecided, ...all, ...all]))
    const read = new Set(this.#filters.flatMap(({ grouping }) => grouping.cells))
    const columns = new Map(Array.from(read, (cell) => [cell, cell.describe(exports)]))
    for (const { grouping, sets } of this.#filters) {
      const { kind, cells, plus, points } = grouping
      // No number is at NaN, or above it: then the group is unknown.
      const compared = cells.every(({ isPlain }) => isPlain) ? points : points.map(() => NaN)
      const addresses = write(cells.map((cell) => columns.get(cell)!))
      const ofPoints = write(new Uint32Array(compared.slice().buffer))
      addFilter(kind, addresses, cells.length, plus, ofPoints, points.length, write(sets))
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
    const words = this.possible.length
    let possible = this.#all[word]
    let unmet = this.#undecided[word]
    for (let index = 0; possible !== 0 && index < filters.length; index++) {
      const { grouping, sets } = filters[index]
      if ((possible & sets[word]) === 0) continue
      if (groups[index] === NOT_ASKED) groups[index] = grouping.group()
      const at = (2 + 2 * groups[index]) * words + word
      unmet |= sets[at + words]
      possible &= sets[at] & (unmet | sets[words + word])
    }
    return possible
  }

  #addNeeded(filters: Map<Grouping, Filter>, rule: number, { choice }: CompiledTest): void {
    const sets = this.#setsOf(filters, choice, rule)
    for (let group = 0; sets !== null && group < choice!.grouping.groupCount; group++) {
      const outcome = choice!.outcomeOf(group)
      if (outcome !== null && outcome !== Outcome.Met) remove(sets, (2 + 2 * group) * this.#all.length, rule)
    }
  }

  #addDemand(filters: Map<Grouping, Filter>, rule: number, { choice, key }: CompiledTest): void {
    const sets = this.#setsOf(filters, choice, rule)
    const [all, undecided] = this.#inKernel
    if (!key?.isOfEveryRow) add(all, 0, rule)
    if (sets === null) {
      add(this.#undecided, 0, rule)
      if (!key?.isOfEveryRow) add(undecided, 0, rule)
      return
    }
    for (let group = 0; group < choice!.grouping.groupCount; group++)
      if ((choice!.outcomeOf(group) ?? Outcome.Unmet) === Outcome.Unmet)
        add(sets, (3 + 2 * group) * this.#all.length, rule)
  }

  #setsOf(filters: Map<Grouping, Filter>, choice: Choice | undefined, rule: number): Uint32Array | null {
    if (choice === undefined || choice.grouping.groupCount > MOST_GROUPS) return null
    const { grouping } = choice
    const words = this.#all.length
    let filter = filters.get(grouping)
    if (filter === undefined) {
      const sets = new Uint32Array((2 + 2 * grouping.groupCount) * words)
      for (let at = 2 * words; at < sets.length; at += 2 * words) sets.fill(ALL_BITS, at, at + words)
      filters.set(grouping, (filter = { grouping, tests: 0, sets }))
    }
    filter.tests++
    add(filter.sets, 0, rule)
    return filter.sets
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
