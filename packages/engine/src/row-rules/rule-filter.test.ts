import type { RowRule, RuleTest } from '@veridict/contract/model/row-rule'
import { describe, expect, it } from 'vitest'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { RuleFilter } from '#row-rules/rule-filter.ts'
import { FIELDS, NAMES } from '../../test/random-rule-book.ts'
import { testPlatform } from '../../test/test-platform.ts'

const rule = (name: string, when: readonly RuleTest[], then: readonly RuleTest[]): RowRule => ({
  name,
  severity: 'error',
  ...(when.length > 0 && { when: { all: [...when] } }),
  then: [...then],
})
const open: RuleTest = { column: 'Item', is: 'oneOf', values: ['Open', '1'] }
const rules = [
  rule('number', [open], [{ column: 'Number', is: 'atLeast', than: { value: '2' } }]),
  rule('several numbers', [open], [{ column: 'Number', is: 'noneOf', values: ['3', '5', '07'] }]),
  rule('blank', [{ column: 'Text', is: 'blank' }], [{ column: 'Code', is: 'filled' }]),
  rule(
    'dates',
    [],
    [{ column: 'Date', is: 'less', than: { column: 'Second date', plus: 1, unit: 'months' } }],
  ),
  rule('numbers', [{ column: 'Number', is: 'more', than: { column: 'Third number' } }], [open]),
  rule('filled', [], [{ columns: ['Text', 'Date'], is: 'allOrNoneFilled' }]),
  rule('undecided', [open], [{ column: 'Code', is: 'matching', pattern: 'A.*' }]),
  rule(
    'two demands',
    [],
    [
      { column: 'Code', is: 'filled' },
      { column: 'Number', is: 'less', than: { value: '9' } },
    ],
  ),
]
/** More than the bits of a word. */
const codes = Array.from({ length: 70 }, (_, index) =>
  rule(
    `code ${index}`,
    [{ column: 'Text', is: 'oneOf', values: [`c${index}`] }],
    [{ column: 'Number', is: 'atMost', than: { value: String(index) } }],
  ),
)

/** The rules that the filter does not decide in a row. */
async function undecidedIn(row: Readonly<Record<string, string>>, of: readonly RowRule[] = rules) {
  const ruleBook = { rules: [...of], exempt: null, blankTexts: ['N/A'], lists: [], day: '2026-11-26' }
  const place = { terminators: { kind: 'csv', delimiter: 0x2c }, firstColumn: 0 } as const
  const compiled = await compileDictionary({ fields: FIELDS, ruleBook, platform: testPlatform() }, place)
  for (const cell of compiled.rules!.read) cell.seeText(row[NAMES[cell.column]] ?? '')
  const filter = new RuleFilter(compiled.rules!.rules)
  filter.find()
  return of
    .filter((_, index) => ((filter.possible[index >>> 5] >>> (index & 31)) & 1) === 1)
    .map(({ name }) => name)
}

const met = { Item: 'Closed', Number: '1', Text: 'a', Code: 'b', Date: '31/01/2024', 'Third number': '1.0' }

describe('The filter of rules', () => {
  it.for([
    { row: met, left: [] },
    { row: { ...met, Number: '-7.5', Item: 'Sa\u0303o' }, left: [] },
    { row: { ...met, Item: 'Open' }, left: ['number', 'undecided'] },
    { row: { ...met, Item: '1', Number: '3.00' }, left: ['several numbers', 'undecided'] },
    { row: { ...met, Number: '7' }, left: ['numbers'] },
    { row: { ...met, Text: 'N/A', Code: '' }, left: ['blank', 'filled', 'two demands'] },
    { row: { ...met, 'Second date': '2024-01-31', Date: '29/02/2024' }, left: ['dates'] },
    { row: { ...met, 'Second date': '2024-01-31', Date: '28/02/2024' }, left: [] },
    { row: { ...met, Number: '9' }, left: ['numbers', 'two demands'] },
    // Only the tests compare so many digits.
    {
      row: { ...met, Item: 'Open', Number: '12345678901234567890' },
      left: ['number', 'several numbers', 'undecided', 'two demands'],
    },
  ])('leaves $left of $row', async ({ row, left }) => {
    expect(await undecidedIn(row)).toEqual(left)
  })

  it.for([
    { code: 'c7', number: '8', left: ['code 7'] },
    { code: 'c7', number: '7', left: [] },
    { code: 'c69', number: '70', left: ['code 69'] },
    { code: 'x', number: '99', left: [] },
  ])('leaves $left of many rules about codes', async ({ code, number, left }) => {
    expect(await undecidedIn({ Text: code, Number: number }, codes)).toEqual(left)
  })
})
