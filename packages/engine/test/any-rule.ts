import { checkDigitSchemes, type Rule, type RuleOf, type RuleType } from '@veridict/contract/model/rule'
import fc from 'fast-check'

const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 100)

const rules: { [T in RuleType]: fc.Arbitrary<RuleOf<T>> } = {
  text: fc.record(
    {
      type: fc.constant('text' as const),
      minLength: fc.nat(4),
      maxLength: fc.integer({ min: 0, max: 8 }),
      checkDigit: fc.constantFrom(...checkDigitSchemes),
    },
    { requiredKeys: ['type'] },
  ),
  number: fc.record(
    {
      type: fc.constant('number' as const),
      scale: fc.nat(3),
      minimum: fc.oneof(fc.double({ noNaN: true, min: -200, max: 0 }), hundredths(-20_000, 0)),
      maximum: fc.oneof(fc.double({ noNaN: true, min: 0, max: 200 }), hundredths(0, 20_000)),
    },
    { requiredKeys: ['type'] },
  ),
  date: fc.record({
    type: fc.constant('date' as const),
    format: fc.constantFrom('dd/MM/yyyy', 'yyyy-MM-dd', 'MM.dd.yyyy', 'd/M/yy', 'yyyy'),
  }),
  pattern: fc.record({
    type: fc.constant('pattern' as const),
    pattern: fc.constantFrom('[A-Z]+', '.*', '[^a]{1,3}', '\\w+_\\s?\\d*', '(ab|c)+', '\\S*', '[\\s\\S]+'),
  }),
  list: fc.record(
    {
      type: fc.constant('list' as const),
      options: fc.array(fc.constantFrom('Open', 'On hold', 'é', 'a,b', 'a_x', '１', 'a', '1'), {
        minLength: 1,
      }),
      separator: fc.constantFrom(';', ' ', '/', '&', '.'),
      minValues: fc.nat(2),
      maxValues: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['type', 'options'] },
  ),
}
export const anyRule: fc.Arbitrary<Rule> = fc.oneof(...Object.values(rules))

/** Cells made of what the rules check, so that many are valid and the rest nearly. */
export const anyCell = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      'A',
      'c',
      '1',
      '0',
      '.',
      '-',
      '+',
      '/',
      ' ',
      '_',
      'x',
      'é',
      'e',
      '\u0301',
      '\u1112',
      '\u1161',
      '美',
      '👍',
      '\u00a0',
      '\u3000',
      '\ufeff',
      '“',
      ',',
      '"',
      '\n',
      '\r',
      '\t',
      '&',
      '<',
      '０',
      '\ufffd',
    ),
    maxLength: 10,
  }),
  fc.constantFrom(
    'Open',
    'On hold',
    'é',
    'a,b',
    'a_x',
    '１',
    ' Open',
    'Open ',
    '31/12/2024',
    '2024-02-29',
    '2023-02-29',
    '01.13.2024',
    '1/2/24',
  ),
  fc.double({ noNaN: true, min: -300, max: 300 }).map((value) => String(value)),
  hundredths(-30_000, 30_000).map((value) => value.toFixed(2)),
  fc.stringMatching(/^-?\d{0,3}\.?\d{12,15}$/),
  fc
    .tuple(
      fc.constantFrom('/', '-', '.'),
      fc.nat(33),
      fc.nat(14),
      fc.constantFrom(0, 46, 99, 1900, 2023, 2024),
      fc.boolean(),
    )
    .map(([separator, a, b, year, isYearFirst]) => dateText(separator, a, b, year, isYearFirst)),
)

/** Two numbers, two digits each, and a year, of which the calendar has a day or has not. */
function dateText(separator: string, a: number, b: number, year: number, isYearFirst: boolean): string {
  const parts = [a, b].map((part) => String(part).padStart(2, '0'))
  const years = String(year).padStart(4, '0')
  return (isYearFirst ? [years, ...parts] : [...parts, years]).join(separator)
}
