import { emptyRuleBook, type RuleBook, type RuleTest } from '@veridict/contract/model/row-rule'
import { labelKey } from '@veridict/contract/notation/label'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPartial } from '#formulas/formula-text.ts'
import { demandsOf, RowFormulas } from '#formulas/rule-formulas.ts'
import { expectToBeFormula } from '../../test/expect-formula.ts'
import { FIELDS as ALL_FIELDS, randomRuleBook } from '../../test/random-rule-book.ts'

// A pattern that formulas can say.
const FIELDS = ALL_FIELDS.map((one) =>
  one.name === 'Code' ? { ...one, rule: { type: 'pattern', pattern: '[A-Z]{2}' } as const } : one,
)
const columns = new Map(
  FIELDS.map((one, index) => [labelKey(one.name), { field: one, letter: 'ABCDEFGHIJ'[index] }]),
)
const rowOf = (book: RuleBook, row: number) => new RowFormulas({ columns, letters: ['A', 'J'], book }, row)

function formulaOf(then: RuleTest, more: Partial<RuleBook> = {}, when?: RuleTest): string {
  const rule = { name: 'R', severity: 'error' as const, ...(when && { when: { all: [when] } }), then: [then] }
  const book = { ...emptyRuleBook, rules: [rule], ...more }
  return rowOf(book, 2).ofDemands(demandsOf(book, ''))
}

describe('The formula of a demand', () => {
  it.for<{ test: RuleTest; part: string; why: string }>([
    {
      test: { column: 'Text', is: 'noneOf', values: ['a "b"', ''] },
      part: '"|a ""b""|"',
      why: 'quotes of constants are doubled, so no text becomes a formula',
    },
    {
      test: { column: 'Text', is: 'startingWith', text: '"&A1&"' },
      part: 'FIND("""&A1&""",$A2)=1',
      why: 'nor one that a test asks for',
    },
    {
      test: { column: 'Text', is: 'endingWith', text: 'é' },
      part: 'EXACT(RIGHT($A2,LEN("é")),"é")',
      why: 'letters of either case differ',
    },
    {
      test: { column: 'Item', is: 'equal', than: { column: 'Text' } },
      part: 'IF(EXACT($I2,$A2),TRUE,NA())',
      why: 'an item of other letters may be the same with its accents composed',
    },
    {
      test: { column: 'Number', is: 'atMost', than: { sum: ['Second number'], tolerance: 0.01 } },
      part: ',6))-(0.01))<=0',
      why: 'numbers are compared as decimals',
    },
    {
      test: { column: 'Date', is: 'less', than: { column: 'Second date', plus: -2, unit: 'months' } },
      part: '>61+31*2,EDATE(',
      why: 'only days are moved that all programs number alike',
    },
    {
      test: { column: 'Date', is: 'equal', than: { value: '02/01/2000' } },
      part: '(DATE(2000+MOD(2000,400),1,2)+146097*INT(2000/400-5))),6)=0',
      why: 'days count alike in workbooks of both date systems',
    },
    {
      test: { columns: ['Text', 'Code'], is: 'allOrNoneFilled' },
      part: 'MOD(0+NOT(',
      why: 'TRUE is no number until it is added',
    },
    {
      test: { columns: ['Number', 'Item'], is: 'listed', rows: [['1', 'Open']] },
      part: '=(1),NA()),NOT(',
      why: 'the values of a row belong together',
    },
  ])('$test: $why', ({ test, part }) => {
    expect(formulaOf(test)).toContain(part)
    expect(isPartial(formulaOf(test))).toBe(false)
  })

  it.for<{ test: RuleTest; why: string }>([
    { test: { columns: ['Text'], is: 'unique' }, why: 'other rows' },
    { test: { column: 'Items', is: 'count', max: 2 }, why: 'several values in a cell' },
    { test: { column: 'Date', is: 'less', than: { today: true } }, why: 'the day of the upload' },
    { test: { column: 'Short date', is: 'less', than: { column: 'Date' } }, why: 'years of two digits' },
    { test: { column: 'Text', is: 'matching', pattern: '.*a' }, why: 'a pattern of any length' },
    { test: { column: 'Number', is: 'less', than: { value: '123456789012' } }, why: 'long numbers' },
    {
      test: { columns: ['Text'], is: 'listed', rows: Array.from({ length: 141 }, (_, row) => [`${row}`]) },
      why: 'a list of many rows',
    },
  ])('is partial: $why', ({ test }) => expect(isPartial(formulaOf(test))).toBe(true))

  it('asks no row with cells beside the table, no blank and no exempt one', () => {
    const exempt = { when: { all: [{ column: 'Text', is: 'filled' } as const] } }
    const formula = formulaOf({ column: 'Date', is: 'filled' }, { exempt })
    expect(formula).toContain('>0,COUNTA($A2:$XFD2)=COUNTA($A2:$J2)),IF(IF(COUNTA(')
    expect(formula).toMatch(/,NA\(\)\)$/)
  })

  it('does not know of blanks that its condition reads where their text may be a number', () => {
    const of = (blankTexts: string[]) =>
      formulaOf({ column: 'Date', is: 'filled' }, { blankTexts }, { column: 'Text', is: 'filled' })
    expect(of(['999'])).toContain('IF(ISERROR($A2),NA(),')
    expect(of(['n/a'])).toContain('IF(ISERROR($A2),TRUE,')
  })

  it('is one that all programs can read, within the limits of Excel', () =>
    fc.assert(
      fc.property(randomRuleBook, (book) => {
        const row = rowOf(book, 1_048_576)
        for (const demand of demandsOf(book, '')) expectToBeFormula(row.ofDemands([demand]))
        for (const column of columns.keys()) expectToBeFormula(row.ofCell(column))
      }),
      { numRuns: 40 },
    ))
})
