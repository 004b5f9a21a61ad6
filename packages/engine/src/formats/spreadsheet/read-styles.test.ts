import { expect, it } from 'vitest'
import { formatKind, NumberKind } from '#formats/spreadsheet/read-styles.ts'

it.for([
  { code: 'General', kind: NumberKind.Plain, why: 'a word, not letters of a date' },
  { code: '0.00', kind: NumberKind.Plain, why: 'digits' },
  { code: '0.00E+00', kind: NumberKind.Plain, why: 'an exponent' },
  { code: '#,##0.00 "USD"', kind: NumberKind.Plain, why: 'quoted letters do not count' },
  { code: '0\\d', kind: NumberKind.Plain, why: 'an escaped letter does not count' },
  { code: '_d0', kind: NumberKind.Plain, why: 'the width of a letter does not count' },
  { code: '[Red]0;[>100]0', kind: NumberKind.Plain, why: 'colours and conditions do not count' },
  { code: '0;"day" d', kind: NumberKind.Plain, why: 'the first section decides' },
  { code: 'dd/mm/yyyy', kind: NumberKind.Date, why: 'a date' },
  { code: 'mmm', kind: NumberKind.Date, why: 'months alone' },
  { code: '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', kind: NumberKind.Date, why: 'a locale in front' },
  { code: 'yyyy"年"m"月"d"日"', kind: NumberKind.Date, why: 'East Asian' },
  { code: 'd/m/yy h:mm', kind: NumberKind.Date, why: 'a date with a time' },
  { code: 'h:mm AM/PM', kind: NumberKind.Time, why: 'm after h are minutes' },
  { code: 'mm:ss.0', kind: NumberKind.Time, why: 'm before s are minutes' },
  { code: '[h]:mm:ss', kind: NumberKind.Duration, why: 'hours beyond 24' },
  { code: '[mm]:ss', kind: NumberKind.Duration, why: 'minutes beyond 60' },
  {
    code: `${'0'.repeat(255)}d`,
    kind: NumberKind.Plain,
    why: 'of a code longer than Excel allows the start counts',
  },
  { code: '[h', kind: NumberKind.Time, why: 'a bracket that is never closed' },
])('The format $code has kind $kind: $why', ({ code, kind }) => expect(formatKind(code)).toBe(kind))

it.for(['[', '[h', 'mmmmmmm', '1m'])(
  'A code of countless "%s", which would keep a careless expression busy for ever, has a kind',
  (part) => expect(formatKind(part.repeat(300_000))).toBe(formatKind(part.repeat(30))),
)

const DAY = 45_000
it.for([
  {
    code: '[=0]"";dd/mm/yyyy',
    kinds: { 0: NumberKind.Plain, [DAY]: NumberKind.Date },
    why: 'a condition in the first section',
  },
  {
    code: '[=0]?;[<4.5][hh]:mm:ss;hh:mm',
    kinds: { 0: NumberKind.Plain, 4.4: NumberKind.Duration, 4.5: NumberKind.Time },
    why: 'two',
  },
  {
    code: '[Red][<=1]0;[ $-409][<> 9.5]d;h',
    kinds: { 1: NumberKind.Plain, 9.5: NumberKind.Time, 2: NumberKind.Date },
    why: 'with others',
  },
  {
    code: '[>100]0;0;yyyy',
    kinds: { [-1]: NumberKind.Plain, 99: NumberKind.Date },
    why: 'the second of three is for negative numbers',
  },
  {
    code: '[>100]0;yyyy;0;d',
    kinds: { [-1]: NumberKind.Date, 99: NumberKind.Plain },
    why: 'the fourth section is for text',
  },
  {
    code: '[>=100]yyyy;[<0]0',
    kinds: { 100: NumberKind.Date, 99: NumberKind.Plain, [-1]: NumberKind.Plain },
    why: 'the last is for the rest',
  },
  {
    code: '[<=9999999]###\\-####;###\\-###\\-####',
    kinds: { [DAY]: NumberKind.Plain },
    why: 'a telephone number',
  },
])('The sections of the format $code are chosen by its conditions: $why', ({ code, kinds }) => {
  const format = formatKind(code)
  for (const [value, kind] of Object.entries(kinds))
    expect(typeof format === 'function' ? format(Number(value)) : format, value).toBe(kind)
})
