/** What a test finds in a row. A blank cell may leave nothing to ask: not met, and no error either. */
export const Outcome = { Unmet: 0, Met: 1, NotAsked: 2 } as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

/** What a test finds by the group of a row; null where only the test knows. */
export type Choice = { readonly grouping: Grouping; readonly outcomeOf: (group: number) => Outcome | null }

/** The number of a blank cell. */
export const BLANK = -Infinity
const UNKNOWN_GROUP = 0
const BLANK_GROUP = 1
/** Fewer are compared one by one: a search has branches that the processor cannot foresee. */
const FEW_POINTS = 16

/** What `packages/engine/kernel/rules.ts` exports. Addresses are in bytes. */
export type RuleExports = {
  readonly memory: WebAssembly.Memory
  readonly data: WebAssembly.Global<'i32'>
  allocate(size: number): number
  describeRules(filters: number, words: number, sets: number): void
  addRuleColumn(column: number, mostTexts: number): number
  addText(column: number, size: number, code: number): void
  addFilter(
    kind: number,
    columns: number,
    columnCount: number,
    plus: number,
    points: number,
    pointCount: number,
    sets: number,
  ): void
}

/** A cell, as the kernel knows it (`RuleCell`). */
type KernelCell = { readonly isPlain: boolean; describe(exports: RuleExports): number }

/** What the number of a row is: the value of a cell, its difference to another, or how many are filled. */
export const NumberOf = { Value: 0, Difference: 1, Filled: 2 } as const

/** Puts rows into a few groups, by where a number of each is among those that tests compare it with. */
export class Grouping {
  readonly kind: (typeof NumberOf)[keyof typeof NumberOf]
  readonly cells: readonly KernelCell[]
  /** What the other number of a difference has more in it; NaN where the kernel cannot add it. */
  readonly plus: number
  /** NaN where only the test knows. */
  readonly #number: () => number
  /** BLANK is the first, which saves asking for blank cells. */
  points = Float64Array.of(BLANK)

  constructor(kind: Grouping['kind'], cells: readonly KernelCell[], number: () => number, plus = 0) {
    this.kind = kind
    this.cells = cells
    this.#number = number
    this.plus = plus
  }

  get groupCount(): number {
    return 2 * this.points.length + 1
  }

  /** The groups are below the first point, at it, between it and the second, and so on. */
  group(): number {
    const points = this.points
    const number = this.#number()
    let low = 0
    let high = points.length
    while (high - low > FEW_POINTS) {
      const middle = (low + high) >> 1
      if (points[middle] <= number) low = middle
      else high = middle
    }
    let group = 2 * low
    for (; low < high; low++) group += Number(points[low] < number) + Number(points[low] <= number)
    return group
  }

  /** For a test that compares the number with `points` alone; undefined where one of them is not known. */
  choice(
    points: readonly number[],
    outcomeOf: (number: number) => Outcome,
    ofBlank: Outcome = Outcome.NotAsked,
  ): Choice | undefined {
    if (points.some(Number.isNaN)) return undefined
    this.points = Float64Array.from(new Set([...this.points, ...points])).sort()
    return {
      grouping: this,
      outcomeOf: (group) =>
        group === UNKNOWN_GROUP ? null : group === BLANK_GROUP ? ofBlank : outcomeOf(this.#numberIn(group)),
    }
  }

  #numberIn(group: number): number {
    const points = this.points
    return (points[(group - 1) >> 1] + (points[group >> 1] ?? Infinity)) / 2
  }
}
