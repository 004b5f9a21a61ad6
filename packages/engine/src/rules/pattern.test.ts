import { fieldMessages } from '@veridict/contract/messages/fields'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textMatcher, writingsMatcher } from '#fast-path/byte-automaton.ts'
import { determinize } from '#rules/determinize.ts'
import { compilePattern, isCommonPattern, needsReference } from '#rules/pattern.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'
import { checkPattern, patternChecker, re2 } from '#rules/re2.ts'
import { runs } from '../../test/runs.ts'

/**
 * The characters of values. Those beyond ASCII take two, three and four bytes; \u017f equals `s` if case is
 * ignored.
 */
const valueCharacters = fc.constantFrom(
  'a',
  'b',
  'c',
  '-',
  '.',
  '0',
  '9',
  ' ',
  '\n',
  '_',
  ']',
  'Z',
  'é',
  '\u0080',
  '中',
  '👍',
  '\u017f',
  '\u00a0',
)
const characters = fc.constantFrom('a', 'b', 'c', '-', '.', '0', '9', ' ', '\n', '\v', '_', ']', '^', 'Z')

const isAscii = (text: string) => Buffer.byteLength(text) === text.length

/** Patterns of the common subset, and patterns just outside it. */
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
      '\\é',
      '\\👍',
      '-',
      'é',
      '👍',
    ),
    fc.constantFrom(
      '[a-c]',
      '[^a-c]',
      '[a\\d-]',
      '[\\w.]',
      '[-a]',
      '(a|b)',
      '(?:a|)',
      '[^\\s]',
      '\\b',
      '(?i)',
      '\\p{L}',
      '[[:alpha:]]',
    ),
  ),
  maxLength: 8,
})

describe('The automaton of a pattern', () => {
  it('matches exactly the values that RE2 matches, and decides every value if the pattern is ASCII', () => {
    let compared = 0
    const values = fc.array(fc.string({ unit: valueCharacters, maxLength: 6 }), {
      minLength: 5,
      maxLength: 5,
    })
    fc.assert(
      fc.property(patterns, values, (pattern, values) => {
        const syntax = parsePattern(pattern)
        const automaton = syntax === null ? null : determinize(syntax)
        if (automaton === null) return
        compared++
        const matches = textMatcher(automaton)
        const reference = re2(pattern)
        for (const value of values) {
          const isKnown = isAscii(pattern) || isAscii(value)
          expect({ pattern, value, matches: matches(value) }).toEqual({
            pattern,
            value,
            matches: isKnown ? reference(value) : null,
          })
        }
      }),
      { numRuns: runs(1200) },
    )
    expect(compared).toBeGreaterThan(runs(300))
  })

  it('accepts another writing of a value only if it says that it may', () => {
    let accepted = 0
    const printable = fc.constantFrom(...'abcABCzZ-.09_ ]')
    fc.assert(
      fc.property(patterns, fc.array(fc.string({ unit: printable, maxLength: 5 })), (pattern, values) => {
        const syntax = parsePattern(pattern)
        const automaton = syntax === null ? null : determinize(syntax)
        if (automaton === null) return
        const matches = textMatcher(automaton)
        for (const value of values) {
          const joined = value.replaceAll(' ', '')
          const writings = [value.toUpperCase(), value.toLowerCase(), joined, joined.toUpperCase()]
          const mayFit = writingsMatcher(automaton)(value)
          const isAccepted = writings.some((text) => matches(text))
          if (isAccepted) accepted++
          expect({ pattern, value, mayFit }).toEqual({
            pattern,
            value,
            mayFit: isAccepted || value.includes('  '),
          })
        }
      }),
      { numRuns: runs(600) },
    )
    expect(accepted).toBeGreaterThan(runs(60))
  })

  it.for([
    '[A-Z]{2}-[0-9]{4}',
    '^CLM-\\d{8}$',
    '\\+?[0-9]{7,15}',
    '(?:ab|cd)*',
    '[\\w.+-]+@[\\w-]+\\.[\\w.]+',
    '(a+)+',
  ])('can be built for %s', (pattern) => {
    expect(determinize(parsePattern(pattern)!)).not.toBeNull()
  })

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
  ])('$pattern is refused with a reason', ({ pattern, says }) =>
    expect(checkPattern(pattern)).toContain(says),
  )

  it('is also refused if it is too large together with the patterns of the fields before it', () => {
    const check = patternChecker(160, 160)
    const { patternTooLarge, patternsTooLarge } = fieldMessages
    const patterns = ['a{60}', '(b', 'a{60}', 'b{60}', 'c{60}', 'c', 'b{60}', '(b', 'd{60}', 'd{160}']
    const missing = 'missing closing ): `(b`.'
    const results = [
      null,
      missing,
      null,
      null,
      patternsTooLarge,
      null,
      null,
      missing,
      patternsTooLarge,
      patternTooLarge,
    ]
    expect(patterns.map(check)).toEqual(results)
  })

  it('is refused for its size before it is compiled', () => {
    const pattern = '(?i)\\pL{1000}'
    expect(checkPattern(pattern)).toBeNull()
    expect(checkPattern(pattern.repeat(600))).toBe(fieldMessages.patternTooLarge)
  })

  it.for([
    { pattern: 'a?'.repeat(1000), isRefused: true, why: 'a thousand optional letters' },
    { pattern: '(a?){1000}', isRefused: true, why: 'the same as a repeat' },
    { pattern: '(a|b)*a(a|b){600}', isRefused: true, why: 'too many states for an automaton' },
    { pattern: '(?:\\p{L}{1,40} ?){1,10}', isRefused: false, why: 'names of ten words' },
    { pattern: '.{0,1000}', isRefused: false, why: 'as many repeats as RE2 allows' },
    { pattern: `(${'ABC|'.repeat(250)}Z)`, isRefused: false, why: 'hundreds of codes' },
  ])('is refused if a cell could take it long: $why', ({ pattern, isRefused }) => {
    expect(checkPattern(pattern)).toBe(isRefused ? fieldMessages.patternTooLarge : null)
    // Stored ones are still checked, within the time limit of the file.
    expect(compilePattern({ type: 'pattern', pattern }, '', re2).check('x y')).toBeDefined()
  })

  it('is never in the common subset, so RE2 need not check a pattern of the subset', () => {
    fc.assert(
      fc.property(patterns, (pattern) => !isCommonPattern(pattern) || checkPattern(pattern) === null),
      { numRuns: runs(1200) },
    )
  })

  it.for([
    { pattern: 'a{1000}', isCommon: true, why: 'as many repeats as RE2 allows' },
    { pattern: '((a){10}){50}', isCommon: true, why: 'repeats of repeats' },
    { pattern: '((a*){20}){51}', isCommon: false, why: 'repeats multiply' },
    { pattern: '((?:a*){10}|(b?(?:a*){20}){3}){20}', isCommon: false, why: 'also through alternatives' },
    {
      pattern: '(((?:a*){2,}){30}){20}',
      isCommon: false,
      why: 'a repeat without maximum counts its minimum',
    },
    { pattern: '(a{5000}){0}', isCommon: false, why: 'a refused pattern repeated 0 times is refused too' },
    { pattern: `${'('.repeat(200)}a${')'.repeat(200)}`, isCommon: true, why: 'groups in groups' },
    { pattern: `(?:${'a?'.repeat(245)}){999}`, isCommon: false, why: 'too large' },
    { pattern: `${'('.repeat(1100)}a${')'.repeat(1100)}`, isCommon: false, why: 'too many groups in groups' },
  ])('$pattern is common: $isCommon ($why)', ({ pattern, isCommon }) => {
    expect([isCommonPattern(pattern), checkPattern(pattern) === null]).toEqual([isCommon, isCommon])
  })
})

describe('RE2 is loaded', () => {
  it.for([
    { pattern: '^[A-Z]{2}-[0-9]{4}$', needed: false, why: 'the automaton knows every value' },
    { pattern: '[^,]+', needed: false, why: 'also those beyond ASCII' },
    { pattern: 'é+', needed: true, why: 'the automaton does not distinguish characters beyond ASCII' },
    { pattern: '\\p{L}+', needed: true, why: 'beyond the subset' },
    { pattern: '(a|b)*a(a|b){20}', needed: true, why: 'the automaton would be too large' },
  ])('for $pattern: $needed ($why)', ({ pattern, needed }) =>
    expect(needsReference({ type: 'pattern', pattern })).toBe(needed),
  )
})
