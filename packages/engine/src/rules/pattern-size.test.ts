import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { patternSize, patternsSize } from '#rules/pattern-size.ts'
import { runs } from '../../test/runs.ts'

const characters = [
  'a',
  'é',
  '👍',
  '.',
  '^',
  '$',
  '[',
  ']',
  '-',
  '{',
  '}',
  ',',
  '\\',
  '[^]a]',
  '[a-z]',
  '[[:alpha:]]',
  '[\\]x]',
]
const escapes = ['\\d', '\\pL', '\\p{Greek}', '\\x{41}', '\\x41', '\\b', '\\(', '\\Qa(b\\E', '\\Q']
const groups = ['|', '(', '(?:', '(?i:', '(?P<n>', ')', '(?i)']
const repeats = ['*', '+', '?', '{0}', '{3}', '{2,5}', '{0,9}', '{4,}', '{0,}', '*?', '{50}']
const pieces = fc.constantFrom(...characters, ...escapes, ...groups, ...repeats)
const instructionsOf = (pattern: string): number | null => {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return null
  }
}

describe('The size of a pattern', () => {
  it('is never less than the number of instructions of RE2', () => {
    let compared = 0
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 9 }), (pattern) => {
        const instructions = instructionsOf(pattern)
        if (instructions === null) return
        compared++
        expect({ pattern, isEnough: patternSize(pattern) >= instructions + pattern.length - 1 }).toEqual({
          pattern,
          isEnough: true,
        })
      }),
      { numRuns: runs(4000) },
    )
    expect(compared).toBeGreaterThan(runs(1000))
  })

  it.for([
    { pattern: '^[A-Z]{2}-\\d{4}$', atMost: 60 },
    { pattern: '[A-Za-z0-9 .,-]{0,255}', atMost: 600 },
    { pattern: '(?:\\p{L}{1,40} ?){1,10}', atMost: 1_200 },
    { pattern: '(a?){1000}', atMost: 6_000 },
    { pattern: '((a{10}){10}){10}', atMost: 2_000 },
  ])(
    'of $pattern is at most $atMost, and at most five times the instructions of RE2',
    ({ pattern, atMost }) => {
      expect(patternSize(pattern)).toBeLessThan(atMost)
      expect(patternSize(pattern)).toBeLessThan(5 * instructionsOf(pattern)! + pattern.length)
    },
  )

  it.for(['(', ')', '[', '(a{1000}', 'a{9999}', '{9999}', '\\Q', '(?'])(
    'exists for patterns that RE2 refuses: %s, many times',
    (piece) => {
      const pattern = piece.repeat(2000 / piece.length)
      expect(patternSize(pattern)).toBeGreaterThan(pattern.length)
    },
  )

  it('counts equal patterns of a dictionary once', () => {
    expect(patternsSize(['a{50}', 'b', 'a{50}'])).toBe(patternSize('a{50}') + patternSize('b'))
  })
})
