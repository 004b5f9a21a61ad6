import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedTestFiles, namedTests, problemOfTest } from './named-tests.ts'

/** Checks a page whose table has a row for each number from 1 to `last`, and names its tests. */
export function checkNumberedTests(page: string, { prefix, last }: { prefix: string; last: number }): void {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8')
  const rows = text
    .split('\n')
    .map((line) => ({ number: new RegExp(`^\\| (${prefix}\\d+) \\|`).exec(line)?.[1], line }))
    .filter(({ number }) => number !== undefined)

  describe(page, () => {
    it('has every number once, in order', () => {
      const numbers = Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`)
      expect(rows.map(({ number }) => number)).toEqual(numbers)
    })

    it.for(rows)('names tests that exist for $number', ({ line }) => {
      const tests = namedTests(line)
      expect(tests).not.toEqual([])
      expect(tests.map(({ file }) => file)).toEqual(expect.arrayContaining(namedTestFiles(line)))
      expect(tests.map(problemOfTest).filter((problem) => problem !== null)).toEqual([])
    })
  })
}
