import { describe, expect, it } from 'vitest'
import { checkRuleBook, type ValueChecks } from '#model/check-rule-book.ts'
import { everyRowRule } from '#test/every-row-rule.ts'
import type { Field } from '#model/field.ts'
import type { RowRule } from '#model/row-rule.ts'
import type { Rule } from '#model/rule.ts'

const field = (name: string, rule: Rule): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule,
})
const fields = [
  field('Text', { type: 'text' }),
  field('Number', { type: 'number', scale: 2 }),
  field('Second number', { type: 'number' }),
  field('Third number', { type: 'number' }),
  field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Second date', { type: 'date', format: 'yyyy-MM-dd' }),
  field('Item', { type: 'list', options: ['Open', 'a "quoted" one'] }),
  field('Items', { type: 'list', options: ['A', 'B'], separator: ';' }),
]
/** The engine's, in short. */
const form: ValueChecks['form'] = ({ rule }, value) =>
  rule.type === 'number' && !/^[+-]?\d+(\.\d+)?$/.test(value) ? 'no number' : null
const checks: ValueChecks = {
  form,
  value: (of, value) =>
    of.rule.type === 'list' ? (of.rule.options.includes(value) ? null : 'not listed') : form(of, value),
  pattern: (pattern) => (pattern.includes('(?=') ? 'no look-ahead' : null),
}
const lists = [{ name: 'States "and" codes', columns: ['State', 'Code'], rows: [['a', '1']] }]

const ruleOf = (parts: object) => ({
  name: 'R',
  severity: 'error',
  then: [{ column: 'Text', is: 'filled' }],
  ...parts,
})
function faultsOf(book: unknown) {
  const checked = checkRuleBook(book, fields, checks)
  return checked.ok ? [] : checked.faults
}

describe('A rule book', () => {
  it('comes out as it was given', () => {
    const rules = everyRowRule.map((rule) => JSON.parse(JSON.stringify(rule)) as RowRule)
    const book = { rules, exempt: { when: rules[1].when! }, blankTexts: ['N/A', '-'], lists }
    expect(checkRuleBook(book, fields, checks)).toEqual({ ok: true, book })
  })

  it('has the names of the fields, and no parts that say nothing', () => {
    const given = {
      rules: [ruleOf({ description: '', when: null, then: [{ column: ' tEXT ', is: 'blank' }] })],
    }
    const rule = { name: 'R', severity: 'error', then: [{ column: 'Text', is: 'blank' }] }
    expect(checkRuleBook(given, fields, checks)).toEqual({
      ok: true,
      book: { rules: [rule], exempt: null, blankTexts: [], lists: [] },
    })
  })

  it.for<[key: string, part: string, rule: object]>([
    ['name', 'A name is required', { name: ' ' }],
    ['severity', "'error' or 'warning'", { severity: 'fatal' }],
    ['from', 'yyyy-MM-dd', { from: '2027-02-30' }],
    ['when', '{ all: [ … ] }', { when: { all: [] } }],
    ['when', '{ all: [ … ] }', { when: { all: [{ column: 'Text', is: 'filled' }], any: [] } }],
    ['when', "no 'some'", { when: { some: [] } }],
    ['then', 'At least one test', { then: [] }],
    ['then', 'A list is expected', { then: undefined }],
    ['then[0]', "no test 'filed'", { then: [{ column: 'Text', is: 'filed' }] }],
    ['then[0]', "no field 'Texts'", { then: [{ column: 'Texts', is: 'filled' }] }],
    ['then[0]', "no 'value'", { then: [{ column: 'Text', is: 'filled', value: 'x' }] }],
    [
      'then[1]',
      "no 'than'",
      {
        then: [
          { column: 'Text', is: 'filled' },
          { column: 'Text', is: 'blank', than: {} },
        ],
      },
    ],
    ['when.all[0]', "'unique' is demanded only", { when: { all: [{ columns: ['Text'], is: 'unique' }] } }],
    [
      'then[0]',
      "'unique' is demanded only",
      { then: [{ columns: ['Text'], is: 'unique' }], otherwise: [{ column: 'Text', is: 'blank' }] },
    ],
    ['then[0]', 'At least one is required', { then: [{ column: 'Text', is: 'oneOf', values: [] }] }],
    ['then[0]', 'not listed', { then: [{ column: 'Item', is: 'oneOf', values: ['Open', 'Closed'] }] }],
    ['then[0]', 'not listed', { then: [{ column: 'Items', is: 'only', values: ['A;B'] }] }],
    ['then[0]', 'no number', { then: [{ column: 'Number', is: 'more', than: { value: 'x' } }] }],
    ['then[0]', 'has none', { then: [{ column: 'Text', is: 'less', than: { value: 'x' } }] }],
    ['then[0]', 'A value is required', { then: [{ column: 'Text', is: 'equal', than: { value: '' } }] }],
    ['then[0]', 'cannot be compared', { then: [{ column: 'Text', is: 'equal', than: { column: 'Date' } }] }],
    ['then[0]', 'several values', { then: [{ column: 'Items', is: 'equal', than: { value: 'A' } }] }],
    ['then[0]', 'several values', { then: [{ column: 'Text', is: 'equal', than: { column: 'Items' } }] }],
    ['then[0]', 'several values', { then: [{ columns: ['Text', 'Items'], is: 'unique' }] }],
    ['then[0]', 'holds no texts', { then: [{ column: 'Number', is: 'containing', text: '1' }] }],
    ['then[0]', 'holds no texts', { then: [{ column: 'Date', is: 'matching', pattern: '1' }] }],
    ['then[0]', 'no look-ahead', { then: [{ column: 'Text', is: 'matching', pattern: '(?=x)' }] }],
    ['then[0]', 'does not hold several', { then: [{ column: 'Item', is: 'count', min: 1 }] }],
    ['then[0]', 'does not hold several', { then: [{ column: 'Item', is: 'distinct' }] }],
    ['then[0]', 'whole numbers', { then: [{ column: 'Items', is: 'count' }] }],
    ['then[0]', 'whole numbers', { then: [{ column: 'Items', is: 'count', min: 2, max: 1 }] }],
    ['then[0]', 'needs a unit', { then: [{ column: 'Date', is: 'less', than: { today: true, plus: 1 } }] }],
    [
      'then[0]',
      'unit is for dates',
      { then: [{ column: 'Number', is: 'less', than: { column: 'Second number', plus: 1, unit: 'days' } }] },
    ],
    [
      'then[0]',
      'whole one',
      { then: [{ column: 'Date', is: 'less', than: { today: true, plus: 0.5, unit: 'days' } }] },
    ],
    ['then[0]', 'no dates', { then: [{ column: 'Number', is: 'less', than: { today: true } }] }],
    [
      'then[0]',
      'dates cannot be multiplied',
      { then: [{ column: 'Date', is: 'less', than: { column: 'Second date', times: 2 } }] },
    ],
    [
      'then[0]',
      'no numbers',
      { then: [{ column: 'Number', is: 'less', than: { column: 'Second number', times: 'Text' } }] },
    ],
    ['then[0]', 'no numbers', { then: [{ column: 'Number', is: 'less', than: { sum: ['Date'] } }] }],
    [
      'then[0]',
      'named twice',
      { then: [{ column: 'Number', is: 'less', than: { sum: ['Number', 'number'] } }] },
    ],
    [
      'then[0]',
      'A tolerance goes with',
      { then: [{ column: 'Number', is: 'less', than: { sum: ['Number'], tolerance: 1 } }] },
    ],
    [
      'then[0]',
      'at least 0',
      { then: [{ column: 'Number', is: 'equal', than: { sum: ['Number'], tolerance: -1 } }] },
    ],
    ['then[0]', 'named twice', { then: [{ columns: ['Text', 'Text'], is: 'allFilled' }] }],
    ['then[0]', "no list 'X'", { then: [{ columns: ['Text'], is: 'listed', list: 'X' }] }],
    ['then[0]', 'needs 1 values', { then: [{ columns: ['Text'], is: 'listed', list: lists[0].name }] }],
    ['then[0]', 'no number', { then: [{ columns: ['Number'], is: 'listed', rows: [['1'], ['x']] }] }],
  ])('refuses a rule at %s: %s', ([key, part, rule]) => {
    const [fault] = faultsOf({ rules: [ruleOf({ name: 'First' }), ruleOf(rule)], lists })
    expect(fault).toEqual({ key: `rules[1].${key}`, message: expect.stringContaining(part) })
    expect(fault.message).toMatch(/^Rule (?:'R'|2): /)
  })

  it.for<[key: string, part: string, book: unknown]>([
    ['rules', 'An object', []],
    ['rules', "no 'rule'", { rule: [] }],
    ['rules', 'A list', { rules: {} }],
    [
      'rules',
      'at most 500',
      { rules: Array.from({ length: 501 }, (_, name) => ruleOf({ name: `${name}` })) },
    ],
    ['rules[1].name', 'already', { rules: [ruleOf({}), ruleOf({})] }],
    [
      'rules[10]',
      'At most 10',
      {
        rules: Array.from({ length: 11 }, (_, name) =>
          ruleOf({ name: `${name}`, then: [{ columns: ['Text'], is: 'unique' }] }),
        ),
      },
    ],
    ['exempt.when', '{ all: [ … ] }', { exempt: {} }],
    [
      'exempt.when.any[0]',
      "Exemption: There is no field 'X'",
      { exempt: { when: { any: [{ column: 'X', is: 'blank' }] } } },
    ],
    ['blankTexts[1]', 'must not be empty', { blankTexts: ['-', ' - '] }],
    ['blankTexts[0]', 'must not be empty', { blankTexts: [' '] }],
    ['lists[0]', 'A name', { lists: [{ ...lists[0], name: '' }] }],
    ['lists[0]', 'A text', { lists: [{ ...lists[0], columns: ['a', ' '] }] }],
    ['lists[0]', 'needs 2 values', { lists: [{ ...lists[0], rows: [['a']] }] }],
    ['lists[1].name', 'already', { lists: [lists[0], lists[0]] }],
    ['lists', '5,000 rows', { lists: [{ ...lists[0], rows: Array(5001).fill(['a', 'b']) }] }],
    ['lists', '500 kB', { lists: [{ ...lists[0], rows: Array(26).fill(['a', '€'.repeat(7000)]) }] }],
  ])('is refused at %s: %s', ([key, part, book]) => {
    expect(faultsOf(book)).toContainEqual({ key, message: expect.stringContaining(part) })
  })
})
