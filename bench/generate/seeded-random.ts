/** Random numbers that are the same in every run: mulberry32. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer in [0, 2³²). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** An integer in [0, `bound`). */
  below(bound: number): number {
    return this.next() % bound
  }

  oneOf<T>(items: readonly T[]): T {
    return items[this.next() % items.length]
  }

  /** True in `share` of the cases. */
  isLikely(share: number): boolean {
    return this.next() < share * 2 ** 32
  }
}
