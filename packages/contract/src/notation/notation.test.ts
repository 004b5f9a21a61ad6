import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { columnIndex, columnLetter } from './column-letter.ts'
import { parseDateFormat, writeDate } from './date-format.ts'
import { dictionaryIdOf, dictionarySlug } from './dictionary-slug.ts'
import { idOf, maxInteger } from './id.ts'
import { labelKey, tidyLabel } from './label.ts'

describe('column letters', () => {
  it.for([
    { index: 0, letters: 'A' },
    { index: 25, letters: 'Z' },
    { index: 26, letters: 'AA' },
    { index: 701, letters: 'ZZ' },
    { index: 702, letters: 'AAA' },
    { index: 16_383, letters: 'XFD' },
  ])('$index is $letters', ({ index, letters }) => expect(columnLetter(index)).toBe(letters))

  it('give the index back', () =>
    fc.assert(fc.property(fc.nat(20_000_000), (index) => columnIndex(columnLetter(index)) === index)))

  it.for(['', 'a', 'A1', '1', 'Ä'])('%j is no column', (letters) => expect(columnIndex(letters)).toBe(-1))
})

describe('date formats', () => {
  it.for([
    { format: 'dd/MM/yyyy', parts: ['dd', 'MM', 'yyyy'], separator: '/' },
    { format: 'd.M.yy', parts: ['d', 'M', 'yy'], separator: '.' },
    { format: 'yyyy-MM', parts: ['yyyy', 'MM'], separator: '-' },
    { format: 'yyyy', parts: ['yyyy'], separator: '' },
  ])('$format is split into parts and separator', ({ format, parts, separator }) =>
    expect(parseDateFormat(format)).toEqual({ parts, separator }),
  )

  it.for([
    { format: '', why: 'nothing' },
    { format: 'DD/MM/YYYY', why: 'case matters' },
    { format: 'dd/MM-yyyy', why: 'two separators' },
    { format: 'dd/dd/yyyy', why: 'the day twice' },
    { format: 'dd/MM/yyyy/', why: 'a separator at the end' },
    { format: 'dd MM yyyy', why: 'a space separates nothing' },
    { format: 'ddMMyyyy', why: 'no separator' },
    { format: 'yyy', why: 'three letters of the year' },
  ])('$format is refused: $why', ({ format }) => expect(parseDateFormat(format)).toBeNull())

  it('write a date', () => {
    expect(writeDate(parseDateFormat('d.M.yy')!, 2026, 3, 7)).toBe('7.3.26')
    expect(writeDate(parseDateFormat('yyyy-MM-dd')!, 987, 11, 21)).toBe('0987-11-21')
  })
})

describe('the encoded dictionary id', () => {
  const uuid = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'
  it('is 24 characters of a UUID and 8 hex digits', () =>
    expect(dictionarySlug(26, uuid)).toBe('9b1deb4d-3b7d-4bad-9bdd-0000001a'))
  it('gives the id back', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maxInteger }),
        (id) => dictionaryIdOf(dictionarySlug(id, uuid)) === id,
      ),
    ))
  it.for(['', '1a', 'zzzzzzzz', '9b1deb4d-3b7d-4bad-9bdd-00000000', '9b1deb4d-3b7d-4bad-9bdd-80000000'])(
    '%j has no id',
    (slug) => expect(dictionaryIdOf(slug)).toBeNull(),
  )
})

describe('an id in an address', () => {
  it.for([1, 47, maxInteger])('%i is itself', (id) => expect(idOf(String(id))).toBe(id))
  it.for([
    { text: 'abc', why: 'no number' },
    { text: '', why: 'nothing' },
    { text: undefined, why: 'no part of the address' },
    { text: '0', why: 'ids begin at 1' },
    { text: '-1', why: 'a sign' },
    { text: '1.0', why: 'a decimal point' },
    { text: '1e3', why: 'an exponent' },
    { text: '0x1', why: 'another base' },
    { text: '01', why: 'a second form of 1' },
    { text: ' 1', why: 'a space' },
    { text: '1abc', why: 'text after the number' },
    { text: '\u0661', why: 'a digit of another script' },
    { text: String(maxInteger + 1), why: 'one above the largest' },
    { text: '99999999999', why: 'too many digits' },
  ])('$text is none: $why', ({ text }) => expect(idOf(text)).toBeNull())
})

describe('labels', () => {
  it.for([
    { a: ' Claim  Id ', b: 'claim id', why: 'spaces and case' },
    { a: 'Claim\u00a0Id', b: 'Claim Id', why: 'a no-break space is a space' },
    { a: 'Stra\u00dfe', b: 'STRA\u00dfE', why: 'case beyond ASCII' },
    { a: 'Caf\u0065\u0301', b: 'Caf\u00e9', why: 'composed and decomposed' },
  ])('are the same column: $why', ({ a, b }) => expect(labelKey(a)).toBe(labelKey(b)))
  it('keep their case when shown', () => expect(tidyLabel('  Claim\u00a0 Id')).toBe('Claim Id'))
})
