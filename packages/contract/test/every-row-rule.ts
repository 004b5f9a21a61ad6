import type { RowRule, RuleTest, TestKind } from '#model/row-rule.ts'

/** For tests: of each kind of test some, over the columns that `everyRowRule` names. */
export const everyTest: Readonly<Record<TestKind, readonly RuleTest[]>> = {
  filled: [{ column: 'Text', is: 'filled' }],
  blank: [{ column: 'Text', is: 'blank' }],
  oneOf: [
    { column: 'Item', is: 'oneOf', values: ['Open', 'a "quoted" one', ''] },
    { column: 'Number', is: 'oneOf', values: ['1.0'] },
    { column: 'Items', is: 'oneOf', values: ['A'] },
  ],
  noneOf: [
    { column: 'Text', is: 'noneOf', values: ['and', 'or'] },
    { column: 'Text', is: 'noneOf', values: ['x', ''] },
  ],
  only: [{ column: 'Items', is: 'only', values: ['A', 'B'] }],
  equal: [
    { column: 'Number', is: 'equal', than: { value: '-0.5' } },
    { column: 'Number', is: 'equal', than: { sum: ['Second number', 'Third number'], tolerance: 0.01 } },
    { column: 'Text', is: 'equal', than: { column: 'Item' } },
  ],
  notEqual: [
    { column: 'Text', is: 'notEqual', than: { value: '[x] {column}' } },
    { column: 'Number', is: 'notEqual', than: { column: 'Second number', times: -1.5, plus: -2 } },
  ],
  less: [{ column: 'Date', is: 'less', than: { today: true } }],
  atMost: [
    { column: 'Date', is: 'atMost', than: { today: true, plus: -18, unit: 'years' } },
    { column: 'Date', is: 'atMost', than: { column: 'Second date', plus: 1, unit: 'months' } },
    { column: 'Number', is: 'atMost', than: { column: 'Second number', times: 'Third number', plus: 0 } },
  ],
  more: [{ column: 'Number', is: 'more', than: { sum: ['Second number'] } }],
  atLeast: [{ column: 'Number', is: 'atLeast', than: { column: 'Second number', times: 1e21, plus: 1e-7 } }],
  startingWith: [{ column: 'Text', is: 'startingWith', text: ' A' }],
  endingWith: [{ column: 'Text', is: 'endingWith', text: '"' }],
  containing: [{ column: 'Text', is: 'containing', text: '(if filled)' }],
  matching: [{ column: 'Text', is: 'matching', pattern: '[A-Z]{2}"?' }],
  notMatching: [{ column: 'Item', is: 'notMatching', pattern: 'x|y' }],
  count: [
    { column: 'Items', is: 'count', min: 1 },
    { column: 'Items', is: 'count', max: 3 },
    { column: 'Items', is: 'count', min: 2, max: 2 },
  ],
  distinct: [{ column: 'Items', is: 'distinct' }],
  allFilled: [{ columns: ['Text', 'Number'], is: 'allFilled' }],
  noneFilled: [{ columns: ['Text'], is: 'noneFilled' }],
  someFilled: [{ columns: ['Text', 'Items', 'Date'], is: 'someFilled' }],
  oneFilled: [{ columns: ['Text', 'Number'], is: 'oneFilled' }],
  atMostOneFilled: [{ columns: ['Text', 'Number'], is: 'atMostOneFilled' }],
  allOrNoneFilled: [{ columns: ['Text', 'Number'], is: 'allOrNoneFilled' }],
  listed: [
    {
      columns: ['Text', 'Number'],
      is: 'listed',
      rows: [
        ['a', '1'],
        ['b, c', '2.50'],
      ],
    },
    { columns: ['Text', 'Number'], is: 'listed', list: 'States "and" codes' },
  ],
  unique: [
    { columns: ['Text'], is: 'unique' },
    { columns: ['Text', 'Date'], is: 'unique' },
  ],
}

const demanded = Object.values(everyTest).flat()
const asked = demanded.filter(({ is }) => is !== 'unique')

/** For tests: rules that together have every part of a rule. */
export const everyRowRule: readonly RowRule[] = [
  { name: 'Every test', severity: 'error', when: { all: asked }, then: demanded },
  {
    name: 'Any',
    description: 'Why it is so',
    severity: 'warning',
    from: '2027-01-31',
    when: { any: asked },
    then: [],
    otherwise: asked,
  },
  ...asked.map((test, index): RowRule => ({
    name: `Single ${index}`,
    severity: 'error',
    when: { any: [test] },
    then: [test],
  })),
]
