import type { Field } from '@veridict/contract/model/field'
import type { RowRule, RuleBook, RuleTest } from '@veridict/contract/model/row-rule'
import fc from 'fast-check'
import { compileField } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { re2 } from '#rules/re2.ts'
import { testPlatform } from './test-platform.ts'
import { field } from './verdict-of-rows.ts'

const platform = testPlatform()

/** Fields of every type, which the rules of `randomRuleBook` are about. */
export const FIELDS = [
  field('Text', { type: 'text', maxLength: 12 }),
  field('Code', { type: 'pattern', pattern: '[A-Za-z0-9 ]*[A-Za-z0-9]' }, true),
  field('Number', { type: 'number', scale: 3 }),
  field('Second number', { type: 'number' }),
  field('Third number', { type: 'number', minimum: -100, maximum: 100 }, true),
  field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Second date', { type: 'date', format: 'yyyy-MM-dd' }),
  field('Short date', { type: 'date', format: 'd.M.yy' }),
  field('Item', { type: 'list', options: ['Open', 'Closed', 'a "quoted" one', 'Sa\u0303o', '1'] }),
  field('Items', { type: 'list', options: ['A', 'B', 'C c'], separator: ';', maxValues: 3 }),
  field('Plain item', {
    type: 'list',
    options: ['Open', 'Closed', '1', 'More than thirty-two bytes in all'],
  }),
]
export const NAMES = FIELDS.map(({ name }) => name)

const POOLS: Readonly<Record<string, readonly string[]>> = {
  Text: [
    '',
    'a',
    'A',
    ' a ',
    '\u00a0a\u00a0',
    'a\u00a0b',
    'Open',
    '007',
    '7',
    '1',
    '1.0',
    'N/A',
    'é',
    'e\u0301',
    '"x"',
    'far too long a text',
  ],
  Code: ['', 'a', 'Open', '007', '7', 'A 1', ' A1', 'N/A', '%', 'So', 'e\u0301'],
  Number: [
    '',
    '0',
    '-0',
    '-0.0',
    '+1',
    '1',
    '1.0',
    '1.000',
    '01',
    '2',
    '3',
    '0.3',
    '0.31',
    '-',
    '999',
    '1,5',
    'x2345678901234567890',
    '12345678901234567890',
    '12345678901234567890.001',
    '0.1',
  ],
  'Second number': [
    '',
    '0',
    '1',
    '1.00',
    '2',
    '0.1',
    '0.2',
    '-2',
    '9007199254740993',
    '9007199254740992',
    '12345678901234567890',
    '1e3',
  ],
  'Third number': ['', '0', '1', '0.20', '1.5', '-3', '101', '2'],
  Date: [
    '',
    '31/01/2024',
    '29/02/2024',
    '28/02/2023',
    '01/03/2024',
    '26/11/2026',
    '27/11/2026',
    '31/02/2024',
    '26/11/2008',
    ' 31/01/2024',
  ],
  'Second date': [
    '',
    '2024-01-31',
    '2024-02-29',
    '2023-02-28',
    '2024-03-01',
    '2026-11-26',
    '2024-1-31',
    'N/A',
  ],
  'Short date': ['', '31.1.24', '1.3.24', '29.2.24', '26.11.26', '1.1.99'],
  Item: ['', 'Open', 'Closed', ' Open', 'open', 'a "quoted" one', 'São', 'Sa\u0303o', '1', 'N/A'],
  'Plain item': ['', 'Open', 'Closed', '1', 'More than thirty-two bytes in all', 'N/A'],
  Items: ['', 'A', 'B', 'A;B', 'B; A', 'A;A', 'A;;B', 'A;', 'C c;A', 'A;B;C c', 'A;B;A;B', 'x', 'N/A'],
}

const cellOf = (name: string) => fc.constantFrom(...POOLS[name])
export const rowOf = fc.tuple(...NAMES.map(cellOf))
const valuesOf = (name: string) =>
  fc.uniqueArray(fc.constantFrom('', ...validOf(name)), { minLength: 1, maxLength: 4 })
const VALID: Readonly<Record<string, readonly string[]>> = { Items: ['A', 'B', 'C c'] }
function isValid(name: string, text: string): boolean {
  if (VALID[name]) return VALID[name].includes(text)
  return text !== '' && faultOf(FIELDS[NAMES.indexOf(name)], text) === null
}
const validOf = (name: string) =>
  (VALID[name] ?? POOLS[name]).map((text) => text.trim()).filter((text) => isValid(name, text))

const checks = new Map<Field, (text: string) => string | null>()
export function faultOf(of: Field, text: string): string | null {
  let check = checks.get(of)
  if (check === undefined) {
    const compiled = compileField(of, xmlTerminators, platform, re2)
    checks.set(of, (check = (raw) => compiled.check(raw)?.code ?? null))
  }
  return check(text)
}

/** Columns whose cells the kernel doubts if they are filled. */
const DOUBTED = ['Short date', 'Item', 'Items']
/** A row whose cells are right, so that the kernel may be sure of it. */
export const rightRowOf = fc.tuple(
  ...FIELDS.map(({ name, required }) =>
    DOUBTED.includes(name) ? fc.constant('') : fc.constantFrom(...(required ? [] : ['']), ...validOf(name)),
  ),
)

const NUMBERS = ['Number', 'Second number', 'Third number']
const DATES = ['Date', 'Second date', 'Short date']
const TEXTS = ['Text', 'Code', 'Item', 'Plain item']
const comparisons = ['equal', 'notEqual', 'less', 'atMost', 'more', 'atLeast'] as const
const name = fc.constantFrom(...NAMES)
const one = (names: readonly string[]) => fc.constantFrom(...names)
const some = (names: readonly string[]) => fc.uniqueArray(one(names), { minLength: 1, maxLength: 3 })
const amount = fc.constantFrom(0, 1, -1, 0.1, 1.5, -2, 1000)
const unit = fc.constantFrom('days' as const, 'months' as const, 'years' as const)
const move = fc.record({ plus: fc.integer({ min: -30, max: 30 }), unit })
const constantOf = (of: string) => fc.record({ value: fc.constantFrom(...validOf(of)) })

const aTest: fc.Arbitrary<RuleTest> = fc.oneof(
  fc.record({ column: name, is: fc.constantFrom('filled' as const, 'blank' as const) }),
  name.chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom('oneOf' as const, 'noneOf' as const, 'only' as const),
      values: valuesOf(column),
    }),
  ),
  one(NUMBERS).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom(...comparisons),
      than: fc.oneof(
        constantOf(column),
        fc.record({ column: one(NUMBERS) }),
        fc.record({ column: one(NUMBERS), times: fc.oneof(amount, one(NUMBERS)) }),
        fc.record({ column: one(NUMBERS), plus: amount }),
        fc.record({ column: one(NUMBERS), times: fc.oneof(amount, one(NUMBERS)), plus: amount }),
        fc.record({ sum: some(NUMBERS) }),
      ),
    }),
  ),
  fc.record({
    column: one(NUMBERS),
    is: fc.constantFrom('equal' as const, 'notEqual' as const),
    than: fc.record({ sum: some(NUMBERS), tolerance: fc.constantFrom(0, 0.01, 1) }),
  }),
  one(DATES).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom(...comparisons),
      than: fc.oneof(
        constantOf(column),
        fc.record({ column: one(DATES) }),
        fc.tuple(one(DATES), move).map(([other, by]) => ({ column: other, ...by })),
        fc.constant({ today: true as const }),
        move.map((by) => ({ today: true as const, ...by })),
      ),
    }),
  ),
  one(TEXTS).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom('equal' as const, 'notEqual' as const),
      than: fc.oneof(constantOf(column), fc.record({ column: one(TEXTS) })),
    }),
  ),
  fc.record({
    column: one(TEXTS),
    is: fc.constantFrom('startingWith' as const, 'endingWith' as const, 'containing' as const),
    text: fc.constantFrom('a', '7', 'é', '"', 'O', '\u0301', '\u00a0'),
  }),
  fc.record({
    column: one(TEXTS),
    is: fc.constantFrom('matching' as const, 'notMatching' as const),
    pattern: fc.constantFrom('[A-Z].*', '\\d+', 'a|Open', '.'),
  }),
  fc.oneof(
    fc.record({
      column: fc.constant('Items'),
      is: fc.constant('count' as const),
      min: fc.constantFrom(0, 1, 2),
    }),
    fc.record({
      column: fc.constant('Items'),
      is: fc.constant('count' as const),
      max: fc.constantFrom(1, 2),
    }),
    fc.constant<RuleTest>({ column: 'Items', is: 'distinct' }),
  ),
  fc.record({
    columns: some(NAMES),
    is: fc.constantFrom(
      ...([
        'allFilled',
        'noneFilled',
        'someFilled',
        'oneFilled',
        'atMostOneFilled',
        'allOrNoneFilled',
      ] as const),
    ),
  }),
  fc.record({
    columns: fc.constant<string[]>(['Number', 'Item']),
    is: fc.constant('listed' as const),
    rows: fc.array(fc.tuple(fc.constantFrom('1', '1.0', '2', ''), fc.constantFrom('Open', '1', 'São')), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.constant<RuleTest>({ columns: ['Date', 'Text'], is: 'listed', list: 'Days' }),
)
const uniqueTest = some(NAMES.filter((one) => one !== 'Items')).map((columns): RuleTest => ({
  columns,
  is: 'unique',
}))
const tests = fc.array(aTest, { minLength: 1, maxLength: 2 })
const condition = fc.oneof(fc.record({ all: tests }), fc.record({ any: tests }))
const aRule = fc.oneof(
  fc.record({ then: tests }),
  fc.record({ when: condition, then: tests }),
  fc.record({ when: condition, then: fc.oneof(tests, fc.constant<RuleTest[]>([])), otherwise: tests }),
  fc.record({ then: uniqueTest.map((test) => [test]) }),
  fc.record({ when: condition, then: uniqueTest.map((test) => [test]) }),
)
const severity = fc.record(
  {
    severity: fc.constantFrom('error' as const, 'warning' as const),
    from: fc.constantFrom('2026-11-26', '2026-11-27'),
  },
  { requiredKeys: ['severity'] },
)
const LISTS = [
  {
    name: 'Days',
    columns: ['Day', 'Text'],
    rows: [
      ['31/01/2024', 'a'],
      ['29/02/2024', 'é'],
    ],
  },
]
/** Rules of one kind alone, for which the engine may leave out work: keys, or nothing but `otherwise`. */
export const uniformBook: fc.Arbitrary<RuleBook> = fc
  .oneof(
    fc.array(fc.record({ then: uniqueTest.map((test) => [test]) }), { minLength: 1, maxLength: 3 }),
    fc.array(fc.record({ when: condition, then: fc.constant<RuleTest[]>([]), otherwise: tests }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map((rules) => ({
    rules: rules.map((rule, index): RowRule => ({ name: `Rule ${index}`, severity: 'error', ...rule })),
    exempt: null,
    blankTexts: [],
    lists: LISTS,
  }))

/** Rules of every kind over `FIELDS`. */
export const randomRuleBook: fc.Arbitrary<RuleBook> = fc.record({
  rules: fc
    .array(fc.tuple(aRule, severity), { minLength: 1, maxLength: 5 })
    .map((rules) => rules.map(([rule, of], index): RowRule => ({ name: `Rule ${index}`, ...of, ...rule }))),
  exempt: fc.option(condition.map((when) => ({ when }))),
  blankTexts: fc.constantFrom([], ['N/A'], ['N/A', '999', '007'], ['São', 'e\u0301'], ['é']),
  lists: fc.constant(LISTS),
})
