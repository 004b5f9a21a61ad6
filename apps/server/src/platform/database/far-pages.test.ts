import { describe, expect, it } from 'vitest'
import { findPlace, type GrowingList } from '#platform/database/far-pages.ts'
import type { Db } from '#platform/database/tables.ts'

/** A list of the numbers from `newest` down to 1, of which `fresh` are too new to start from. */
class Numbers implements GrowingList<number> {
  newest = 250_000
  fresh = 0
  passed = 0
  readonly #db = {} as Db
  findStart = async () => (this.newest > this.fresh ? this.newest - this.fresh : undefined)
  countBefore = async (key: number) => this.newest - key
  skip = async (key: number, count: number) => {
    this.passed += Math.min(count, key)
    return key > count ? key - count : undefined
  }
  /** The row at an offset, as it is found. */
  async at(offset: number): Promise<number> {
    this.passed = 0
    const place = await findPlace(this.#db, 'numbers', offset, this)
    this.passed += place.offset
    return (place.from ?? this.newest) - place.offset
  }
}

describe('A far page', () => {
  it('is the same as by passing over all rows before it, also when rows were added', async () => {
    const numbers = new Numbers()
    const offsets = [0, 9999, 10_000, 49_999, 50_000, 50_001, 100_000, 149_999, 200_001, 249_999, 10_001]
    for (const added of [0, 1, 60_000, 0]) {
      numbers.newest += added
      numbers.fresh += added
      for (const offset of offsets) expect(await numbers.at(offset)).toBe(numbers.newest - offset)
    }
  })

  it('passes over few rows once the way to it is known', async () => {
    const numbers = new Numbers()
    await numbers.at(200_010)
    expect(numbers.passed).toBeGreaterThan(200_000)
    for (const offset of [200_020, 199_000, 60_000, 150_000]) {
      expect(await numbers.at(offset)).toBe(numbers.newest - offset)
      expect(numbers.passed).toBeLessThanOrEqual(50_000)
    }
  })

  it('after the end is empty', async () => {
    expect(await new Numbers().at(400_000)).toBeLessThanOrEqual(0)
  })

  it('is found from the beginning while all rows are new', async () => {
    const numbers = new Numbers()
    numbers.fresh = numbers.newest
    expect(await numbers.at(20_000)).toBe(numbers.newest - 20_000)
  })
})
