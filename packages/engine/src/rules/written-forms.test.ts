import type { DatePart } from '@veridict/contract/notation/date-format'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDate } from '#rules/date.ts'
import { compileNumber } from '#rules/number.ts'

const THIS_YEAR = 2026

/** Texts of the characters of a number, and of characters that only look like them. */
const numbers = fc.string({ unit: fc.constantFrom(...'0059..+-,eE ٣０'), minLength: 1, maxLength: 12 })

describe('A number', () => {
  it('is accepted exactly if the regular expression of its form matches', () => {
    const { check } = compileNumber({ type: 'number' })
    fc.assert(
      fc.property(numbers, (text) => {
        expect(check(text) === null).toBe(/^[+-]?\d+(?:\.\d+)?$/.test(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('has as many decimals as digits after its point', () => {
    const { check } = compileNumber({ type: 'number', scale: 2 })
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (whole, decimals) => {
        const found = String(decimals).length
        const error = found > 2 ? `The number has ${found} decimals, at most 2 are allowed.` : undefined
        expect(check(`${whole}.${decimals}`)?.error).toBe(error)
      }),
    )
  })
})

const widths: Record<string, DatePart[]> = { d: ['d', 'dd'], M: ['M', 'MM'], y: ['yy', 'yyyy'] }
const formats: fc.Arbitrary<DatePart[]> = fc
  .shuffledSubarray(['d', 'M', 'y'], { minLength: 1 })
  .chain((units) => fc.tuple(...units.map((unit) => fc.constantFrom(...widths[unit]))))

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const anyDigits = fc.string({ unit: fc.constantFrom(...'0129٣'), maxLength: 5 })
const pieces: Record<number, fc.Arbitrary<string>> = {
  1: fc.oneof(digits(1), anyDigits),
  2: fc.oneof(digits(2), anyDigits),
  4: fc.oneof(digits(4), anyDigits),
}
const separators = fc.tuple(...[1, 2, 3].map(() => fc.constantFrom(...'/////.')))

/**
 * A format and a text for it: digits as wide as its parts, or nearly, after the right separators, or nearly.
 */
const datesToRead = formats.chain((parts) =>
  fc.tuple(
    fc.constant(parts),
    fc.tuple(...parts.map((part) => pieces[part.length])),
    separators,
    fc.constantFrom('', '', '', '/', '1'),
  ),
)

const expressions: Record<DatePart, string> = {
  d: '\\d{1,2}',
  dd: '\\d\\d',
  M: '\\d{1,2}',
  MM: '\\d\\d',
  yy: '\\d\\d',
  yyyy: '\\d{4}',
}

describe('A date', () => {
  it('has the form that the regular expression of its format gives it', () => {
    fc.assert(
      fc.property(datesToRead, ([parts, pieces, separators, end]) => {
        const format = parts.join('/')
        const form = new RegExp(`^${parts.map((part) => expressions[part]).join('/')}$`)
        const text =
          pieces.map((piece, index) => (index === 0 ? piece : separators[index] + piece)).join('') + end
        const code = compileDate({ type: 'date', format }, THIS_YEAR).check(text)?.code
        expect({ format, text, hasForm: code !== 'notADate' }).toEqual({
          format,
          text,
          hasForm: form.test(text),
        })
      }),
      { numRuns: 2000 },
    )
  })
})
