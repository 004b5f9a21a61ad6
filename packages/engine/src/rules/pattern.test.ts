import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { asciiMatcher } from '#compile/byte-automaton.ts'
import { determinize } from '#compile/determinize.ts'
import { checkPattern } from '#rules/pattern.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'

const characters = fc.constantFrom('a', 'b', 'c', '-', '.', '0', '9', ' ', '\n', '\v', '_', ']', '^', 'Z')

/** Patterns of what the subset knows, and of what lies just outside it. */
const patterns = fc.string({
  unit: fc.oneof(
    characters,
    fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '(?:',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '{0,}',
      '{',
      '^',
      '$',
      '.',
      '\\d',
      '\\W',
      '\\s',
      '\\.',
      '\\-',
      '\\n',
      '\\v',
      '-',
      'é',
      '👍',
    ),
    fc.constantFrom('[a-c]', '[^a-c]', '[a\\d-]', '[\\w.]', '[-a]', '(a|b)', '(?:a|)', '[^\\s]', '\\b', '(?i)', '\\p{L}', '[[:alpha:]]'),
  ),
  maxLength: 8,
})

describe('The automaton of a pattern', () => {
  it('matches exactly the ASCII values that RE2 matches', () => {
    let compared = 0
    fc.assert(
      fc.property(patterns, fc.array(fc.string({ unit: characters, maxLength: 6 }), { minLength: 5, maxLength: 5 }), (pattern, values) => {
        const syntax = checkPattern(pattern) === null ? parsePattern(pattern) : null
        const automaton = syntax === null ? null : determinize(syntax)
        if (automaton === null) return
        compared++
        const matches = asciiMatcher(automaton)
        const reference = RE2JS.compile(pattern)
        for (const value of values)
          expect({ pattern, value, matches: matches(value) }).toEqual({ pattern, value, matches: reference.matches(value) })
      }),
      { numRuns: 4000 },
    )
    expect(compared).toBeGreaterThan(400)
  })

  it.for(['[A-Z]{2}-[0-9]{4}', '^CLM-\\d{8}$', '\\+?[0-9]{7,15}', '(?:ab|cd)*', '[\\w.+-]+@[\\w-]+\\.[\\w.]+', '(a+)+'])(
    'serves %s',
    (pattern) => {
      expect(determinize(parsePattern(pattern)!)).not.toBeNull()
    },
  )

  it('is not built where it would be too large', () => {
    expect(determinize(parsePattern('(a|b)*a(a|b){20}')!)).toBeNull()
  })
})

describe('A pattern that the engine cannot run', () => {
  it.for([
    { pattern: '(?=a)b', says: 'look-ahead' },
    { pattern: '(?<!a)b', says: 'look-behind' },
    { pattern: '(a)\\1', says: 'back-references' },
    { pattern: '(a', says: 'missing closing )' },
    { pattern: 'a{1001}', says: 'repeat' },
  ])('$pattern is refused with a reason', ({ pattern, says }) => expect(checkPattern(pattern)).toContain(says))

  it('does not include those of the common subset', () => {
    expect(checkPattern('^[A-Z]{2}-[0-9]{4}$')).toBeNull()
  })
})
