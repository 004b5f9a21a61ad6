import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestText } from '#nearest-text.ts'

/** Optimal string alignment, written like its definition. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const least = Math.min(
    distance(a.slice(1), b.slice(1)) + Number(a[0] !== b[0]),
    distance(a.slice(1), b) + 1,
    distance(a, b.slice(1)) + 1,
  )
  const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  return isSwap ? Math.min(least, distance(a.slice(2), b.slice(2)) + 1) : least
}

/** What the comment of `nearestText` promises, in the simplest way. */
function nearestByDefinition(text: string, candidates: readonly string[]): string | null {
  const wanted = text.toLowerCase()
  const bound = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 3))
  const distances = candidates.map((candidate) => distance(wanted, candidate.toLowerCase()))
  const least = Math.min(...distances)
  return least > bound ? null : candidates[distances.indexOf(least)]
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'd', '1', 'É'), maxLength: 6 })

it('The nearest text has the least edit distance; of equally near texts the first is taken', () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (text, candidates) => {
      expect(nearestText(text, candidates)).toBe(nearestByDefinition(text, candidates))
    }),
    { numRuns: 500 },
  )
})
