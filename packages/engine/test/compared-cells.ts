import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'

/** A cell of a workbook. `style` is its number format, from 1 on one of `numberFormats`. */
export type ComparedValue = {
  readonly type: 'inlineStr' | 'n' | 'b' | 'e'
  readonly style: number
  readonly text: string
}

export const numberFormats = [
  '@',
  'dd/mm/yyyy',
  '0.00',
  'm/d/yy',
  'yyyy\\-mm\\-dd',
  '0%',
  'hh:mm',
  '#,##0.00',
]
const DATE_STYLES = [2, 4, 5, 7]

const rules: readonly Rule[] = [
  { type: 'text' },
  { type: 'text', maxLength: 5 },
  { type: 'text', minLength: 3, maxLength: 12 },
  { type: 'text', minLength: 2 },
  { type: 'text', maxLength: 120 },
  { type: 'text', minLength: 9, maxLength: 9, checkDigit: 'siren' },
  { type: 'number' },
  { type: 'number', scale: 0, minimum: 0, maximum: 100 },
  { type: 'number', scale: 2, minimum: -9.5, maximum: 99_999.99 },
  { type: 'number', scale: 2 },
  { type: 'number', minimum: 0.1, maximum: 0.7 },
  { type: 'number', minimum: 0 },
  { type: 'number', scale: 0, minimum: 1, maximum: 9 },
  { type: 'number', scale: 4, maximum: 123_456_789_012_345_680 },
  { type: 'date', format: 'dd/MM/yyyy' },
  { type: 'date', format: 'dd.MM.yyyy' },
  { type: 'date', format: 'yyyy-MM-dd' },
  { type: 'date', format: 'M/d/yy' },
  { type: 'date', format: 'MM-yyyy' },
  { type: 'date', format: 'yyyy' },
  {
    type: 'list',
    options: ['Open', 'Closed', 'On hold', 'a "quoted" one', 'x,y', '5', '007', 'TRUE', 'Zürich'],
  },
  { type: 'list', options: ['A|B', '12', 'K', '👍', 'e\u0301t', 'Москва', 'Łódź'] },
  { type: 'list', options: Array.from({ length: 80 }, (_, index) => `Option number ${index}`) },
  { type: 'list', options: ['A', 'B'], separator: ';' },
  { type: 'pattern', pattern: 'M[0-9]{7}' },
  { type: 'pattern', pattern: '[A-Z]{2}-\\d{3,5}' },
  { type: 'pattern', pattern: '[0-9]{5}' },
  { type: 'pattern', pattern: '[^@]+@[^@]+' },
  { type: 'pattern', pattern: '(a|b)c' },
]

export const comparedFields = (): Field[] =>
  rules.flatMap((rule, index) =>
    [true, false].map((required) => ({
      name: `${rule.type} ${index}${required ? ' required' : ''}`,
      description: '',
      category: '',
      required,
      rule,
    })),
  )

const NASTY = [
  '',
  ' ',
  '   ',
  '\u00A0',
  ' \u00A0 ',
  '\u2003',
  '\t',
  '\n',
  '\uFEFF',
  'a',
  'ab',
  'abc',
  ' abc',
  'abc ',
  '\u00A0abc',
  'abc\u00A0',
  'abcde',
  'abcdef',
  'abcdefghijkl',
  'abcdefghijklm',
  'a b c',
  'a  b',
  'e\u0301',
  'e\u0301e\u0301e\u0301',
  'e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301',
  '👍',
  '👍👍👍',
  '👍👍👍👍👍',
  '👍👍👍👍👍👍',
  'éàü',
  'ÀÉÎÕÜŁ',
  '漢字',
  '漢字漢字漢字',
  '\u212A',
  '\u1100\u1161',
  'x'.repeat(99),
  'x'.repeat(100),
  'x'.repeat(120),
  'x'.repeat(121),
  'é'.repeat(121),
  '👍'.repeat(70),
  'x'.repeat(300),
  '1e5',
  '1E5',
  'TRUE',
  'FALSE',
  'true',
  '007',
  '0',
  '-0',
  '+5',
  '-5',
  '--5',
  '5-',
  '5.',
  '.5',
  '0.5',
  '0.50',
  '0.500',
  '1,5',
  '1.234,56',
  '1,234.56',
  '1 000',
  '١٢',
  '½',
  '1/2',
  '12:30',
  '50%',
  '$5',
  '(5)',
  '100',
  '100.0',
  '100.01',
  '101',
  '99999.99',
  '99999.990',
  '100000',
  '-9.5',
  '-9.50',
  '-9.51',
  '-9.500001',
  '0.1',
  '0.10000000000000001',
  '0.09999999999999999',
  '0.7',
  '0.70000000000000001',
  '123456789012345',
  '1234567890123456',
  '12345678901234567890',
  '99999.989999999999999999',
  '0.000000000000000000001',
  '1.2.3',
  '+',
  '-',
  '.',
  '+.5',
  '00012',
  '0012.50',
  '31/12/2024',
  '29/02/2024',
  '29/02/2023',
  '29/02/1900',
  '29/02/2000',
  '1/2/2024',
  '31/04/2024',
  '00/01/2024',
  '01/00/2024',
  '01/13/2024',
  '31/12/0000',
  '31/12/0001',
  '31.12.2024',
  '31-12-2024',
  '2024-12-31',
  '2024-2-3',
  '12/31/24',
  '2/29/00',
  '2/29/01',
  '2/29/96',
  '02/29/96',
  '12-2024',
  '13-2024',
  '2024',
  '0000',
  '0001',
  '20240101',
  '31/12/2024 10:00',
  '31/12/2024/',
  '/12/2024',
  '31//2024',
  '31/12/20245',
  ' 31/12/2024',
  '31/12/2024 ',
  '3a/12/2024',
  'Open',
  'open',
  'OPEN',
  'Open ',
  ' Open',
  'Opens',
  'Closed',
  'On hold',
  'On  hold',
  'On\u00A0hold',
  'Open|Closed',
  '|Open|',
  'a "quoted" one',
  'a quoted one',
  'x,y',
  'x',
  '5',
  '5.0',
  '05',
  'Zürich',
  'Zu\u0308rich',
  'Zurich',
  'A|B',
  'A',
  'B',
  'K',
  'ét',
  'e\u0301t',
  'et',
  'Москва',
  'Москвa',
  'Łódź',
  'Option number 7',
  'Option number 80',
  'Option number',
  'A;B',
  'A;C',
  'A;',
  'M1234567',
  'm1234567',
  'M123456',
  'M12345678',
  'M12345a7',
  'N1234567',
  'AB-123',
  'AB-12345',
  'AB-123456',
  'AB-12',
  'ab-123',
  'A\u212A-123',
  'AB-12\u0663',
  '12345',
  '01234',
  '123456',
  'a@b',
  '@',
  'ac',
  'bc',
  'cc',
  'a\nb',
  'ab\ncd',
  '"',
  "'",
  '=1+1',
  '#N/A',
  '*',
  '?',
  'O*',
  'Op?n',
  '~',
  'a~b',
  '<>',
  '>5',
  '&amp;',
  '_x0041_',
]

const NUMBERS = [
  '0',
  '1',
  '-1',
  '5',
  '7',
  '12',
  '45322',
  '45322.5',
  '100',
  '101',
  '0.1',
  '0.2',
  '0.30000000000000004',
  '0.7',
  '0.7000000000000001',
  '0.70000000000001',
  '99999.99',
  '99999.995',
  '100000',
  '-9.5',
  '-9.51',
  '2024',
  '24',
  '1.5',
  '1.25',
  '1.255',
  '12.35',
  '12.350000000000001',
  '5.00000000000001',
  '0.700000000000001',
  '0.0999999999999999',
  '9.00000000000001',
  '100.000000000001',
  '0.0500000000000001',
  '999.999999999999',
  '99999.9900000001',
  '-9.50000000000001',
  '5.000000000000001',
  '0.001',
  '0.0001',
  '1E-7',
  '1E-16',
  '1.23456789012345',
  '123456789012345',
  '1234567890123456',
  '9007199254740993',
  '1E+21',
  '1E+300',
  '60',
  '61',
  '2958465',
  '2958466',
  '-45322',
  '100.00000000000001',
  '100.0000000000001',
  '99.99999999999999',
  '12345',
  '1234567',
  '123456789',
  '0.05',
  '0.15',
  '0.25',
  '1.005',
  '2.675',
  '33.33',
  '1E+15',
  '1E+11',
  '99999999999',
]

/** Rows of cells: each value for each field, and values of the field's own form. */
export function comparedValues(fields: readonly Field[], seed: number): ComparedValue[][] {
  const random = randomNumbers(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]
  const common: ComparedValue[] = [
    ...NASTY.map((text) => ({ type: 'inlineStr', style: pick([0, 1]), text }) as const),
    ...NUMBERS.map((text) => ({ type: 'n', style: 0, text }) as const),
    ...NUMBERS.map((text) => ({ type: 'n', style: pick([1, ...DATE_STYLES]), text }) as const),
    ...NUMBERS.map((text) => ({ type: 'n', style: pick([3, 6, 8]), text }) as const),
    ...['1', '0'].map((text) => ({ type: 'b', style: 0, text }) as const),
    ...['#N/A', '#DIV/0!', '#VALUE!'].map((text) => ({ type: 'e', style: 0, text }) as const),
  ]
  const rows = common.map((cell) => fields.map(() => cell))
  // Steps of 0.1, and of random numbers of few digits.
  for (let step = 0; step < 200; step++)
    rows.push(fields.map(({ rule }) => ownValue(rule, step, random, pick)))
  // A blank row, and rows with one cell.
  const blank: ComparedValue = { type: 'inlineStr', style: 0, text: '' }
  rows.push(
    fields.map(() => blank),
    fields.map((_, index) => (index === 0 ? { ...blank, text: 'x' } : blank)),
  )
  rows.push(fields.map((_, index) => (index === 1 ? { ...blank, text: '\u2003' } : blank)))
  rows.push(fields.map((_, index) => (index === 1 ? { ...blank, text: '\u2003x' } : blank)))
  return rows
}

function ownValue(
  rule: Rule,
  step: number,
  random: () => number,
  pick: <T>(from: readonly T[]) => T,
): ComparedValue {
  const asText = random() < 0.5
  switch (rule.type) {
    case 'number': {
      const number = step < 60 ? step * 0.1 - 1 : (random() - 0.3) * 10 ** Math.floor(random() * 7)
      const rounded = random() < 0.7 ? Number(number.toFixed(Math.floor(random() * 4))) : number
      return { type: asText ? 'inlineStr' : 'n', style: asText ? 1 : 0, text: String(rounded) }
    }
    case 'date': {
      const format = parseDateFormat(rule.format)!
      const [year, month, day] = [
        1890 + Math.floor(random() * 220),
        1 + Math.floor(random() * 13),
        1 + Math.floor(random() * 32),
      ]
      if (random() < 0.2)
        return { type: 'n', style: pick([4, 4, 2, 0]), text: String(Math.floor(random() * 60000)) }
      return { type: 'inlineStr', style: 1, text: writeDate(format, year, month, day) }
    }
    default: {
      const alphabet = pick(['ab c', '0123456789', 'ABCM-0123', 'aé漢👍\u0301', 'Open Closed'])
      const letters = [...alphabet]
      const text = Array.from({ length: Math.floor(random() * 14) }, () => pick(letters)).join('')
      return { type: 'inlineStr', style: pick([0, 1]), text }
    }
  }
}

/** Mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
