import { describe, expect, it } from 'vitest'
import { likeness, nameWords } from '#likeness/name-likeness.ts'

const alike = (a: string, b: string) => likeness(nameWords(a), nameWords(b))

/** Enough for a pair without any other evidence. */
const SURE = 80
/** Enough for a pair in the same place. */
const PROBABLE = 45

describe('Two names are surely the same column', () => {
  it.for([
    ['Date of birth', 'date_of_birth', 'other separators'],
    ['Date of birth', 'DateOfBirth', 'no separators'],
    ['Date of birth', 'Birth date', 'other order'],
    ['Date of birth', 'Birth\r\ndate', 'a line break'],
    ['Prénom', 'PRENOM', 'accents'],
    ['Name', '* Name', 'the mark of a required column'],
    ['Address 1', 'address1', 'a number without a space'],
    ['Amount', 'Amount (EUR)', 'a unit in brackets'],
    ['Date of birth', 'DOB', 'initials'],
    ['Date of birth', 'D.O.B.', 'initials with points'],
    ['Patient date of birth', 'Patient DOB', 'initials after a word'],
    ['Patient date of birth', 'Pat. DOB', 'initials after an abbreviation'],
    ['Customer number', 'Cust No', 'abbreviated words'],
    ['Customer number', 'CustNo.', 'abbreviated words without a space'],
    ['Quantity', 'Qty', 'consonants'],
    ['Discount %', 'Discount percent', 'a sign for a word'],
    ['NPI', 'National provider identifier', 'the dictionary abbreviates'],
  ])('%s: %s (%s)', ([a, b]) => {
    expect(alike(a, b)).toBeGreaterThanOrEqual(SURE)
    expect(alike(b, a)).toBe(alike(a, b))
  })
})

describe('Two names may be the same column', () => {
  it.for([
    ['Name', 'Patient name', 'a word more'],
    ['Total', '% of total', 'a percent sign more'],
    ['First name', 'FN', 'initials of two letters'],
    ['Identifier', 'ID', 'a short beginning'],
    ['Claim date', 'Claom date', 'a wrong letter'],
    ['Member name', 'Memebr name', 'letters swapped'],
  ])('%s: %s (%s)', ([a, b]) => {
    expect(alike(a, b)).toBeGreaterThanOrEqual(PROBABLE)
    expect(alike(a, b)).toBeLessThan(SURE)
  })
})

describe('Two names have nothing in common', () => {
  it.for([
    ['Diagnosis', 'Diagnosis 2', 'only one has a number'],
    ['Amount (EUR)', 'Balance (EUR)', 'only what is in brackets is equal'],
    ['Departure', 'Date', 'its letters are in the other, but it is no abbreviation'],
    ['Sex', 'Set', 'too short for a wrong letter'],
    ['Net amount', 'VAT amount', 'two wrong letters in a short word'],
    ['Due on', 'Paid on', 'another word beside a small one'],
    ['Date of birth', 'Phone', 'other words'],
    ['Name', '', 'blank'],
    ['Name', '***', 'no letters'],
  ])('%s: %s (%s)', ([a, b]) => {
    expect(alike(a, b)).toBe(0)
  })
})

describe('Two names are not the same column, whatever else speaks for it', () => {
  it.for([
    ['Diagnosis 1', 'Diagnosis 2', 'they differ in their number'],
    ['2023', '2024', 'years'],
    ['Line one', 'Line two', 'the number is a word'],
    ['Unpaid amount', 'Paid amount', 'opposites'],
    ['Not paid', 'Paid', 'a word turns it into the opposite'],
    ['Import date', 'Export date', 'each has a beginning'],
  ])('%s: %s (%s)', ([a, b]) => {
    expect(alike(a, b)).toBe(-Infinity)
    expect(alike(b, a)).toBe(-Infinity)
  })
})
