import { describe, expect, it } from 'vitest'
import { type SuggestedColumn, suggestionsIn } from '../../test/suggested-column.ts'

const amount = { type: 'number', scale: 2, minimum: 0, maximum: 100_000 } as const
const share = { type: 'number', scale: 3, minimum: 0, maximum: 1 } as const

const negativeForms = (
  '(25.00)|(1,200.50)|12-|12 -|\u22125|\u20135|($5.00)|-$5|5.00- €|EUR -5|-5 kg|(5 kg)|-5%|(1e3)|-1,234.50|' +
  '- 5|(0.5)'
).split('|')

const columns: SuggestedColumn[] = [
  {
    why: 'more than 100 per cent are too many where 100 is the maximum',
    rule: { type: 'number', scale: 1, minimum: 0, maximum: 100 },
    values: [
      ['150%', null, 'numberTooLarge'],
      ['12.5%', '12.5', 'percent'],
    ],
  },
  {
    why: 'the direction of a place on a map is no unit',
    rule: { type: 'number', minimum: -180, maximum: 180 },
    values: [
      ['48.1W', null, 'notANumber'],
      ['33.9 S', null, 'notANumber'],
    ],
  },
  {
    why: 'watts of a column without negative numbers',
    rule: { type: 'number', minimum: 0 },
    values: [['60 W', '60', 'unit']],
  },
  {
    why: 'points between thousands are no decimal comma',
    rule: { type: 'number', scale: 0 },
    values: [['1.234.567', '1234567', 'thousands']],
  },
  {
    why: 'separators of numbers',
    rule: { type: 'number', scale: 2 },
    values: [
      ['1,234.50', '1234.50', 'thousands'],
      ['1,234,567', '1234567', 'thousands'],
      ["1'234.50", '1234.50', 'thousands'],
      ['1\u00a0234.50', '1234.50', 'thousands'],
      ['1,23,456.00', '123456.00', 'thousands'],
      ['.5', '0.5', 'numberForm'],
      ['5.', '5', 'numberForm'],
      ['１２', '12', 'otherDigits'],
      ['١٢٫٥', '12.5', 'otherDigits'],
      ['1´234', '1234', 'thousands'],
      ['12,-', '12', 'numberForm'],
      ['1.234,--', '1234', 'numberForm'],
      ['12 34', null, 'notANumber'],
      ['1.2.3', null, 'notANumber'],
      ['l0', null, 'notANumber'],
    ],
  },
  {
    why: 'a decimal comma elsewhere in the column proves what 1,234 means',
    rule: { type: 'number' },
    values: [
      ['12,50', '12.50', 'decimalComma'],
      ['1.234,50', '1234.50', 'decimalComma'],
      ['1,234', '1.234', 'decimalComma'],
    ],
  },
  {
    why: 'a decimal point elsewhere in the column proves what 1,234 means',
    rule: { type: 'number' },
    values: [
      ['1,234.5', '1234.5', 'thousands'],
      ['1,234', '1234', 'thousands'],
    ],
  },
  {
    why: 'nothing proves what 1,234 means',
    rule: { type: 'number' },
    values: [['1,234', null, 'numberOpen']],
  },
  {
    why: 'the rule proves what 1,234 means',
    rule: { type: 'number', scale: 0 },
    values: [
      ['1,234', '1234', 'thousands'],
      ['12.0', '12', 'trailingZeros'],
      ['12.5', null, 'tooManyDecimals'],
    ],
  },
  {
    why: 'nothing proves whether a whole number has zeros after a point, or a point between thousands',
    rule: { type: 'number', scale: 0 },
    values: [
      ['80.000', null, 'numberOpen'],
      ['75.500', null, 'numberOpen'],
    ],
  },
  {
    why: 'other numbers show that the point is a decimal one',
    rule: { type: 'number', scale: 0 },
    values: [
      ['80.000', '80', 'trailingZeros'],
      ['0.000', '0', 'trailingZeros'],
    ],
  },
  {
    why: 'the column has decimal points and decimal commas',
    rule: { type: 'number', scale: 0 },
    values: [
      ['80.000', null, 'numberOpen'],
      ['12.0', '12', 'trailingZeros'],
      ['80.000,00', '80000', 'decimalComma'],
    ],
  },
  {
    why: 'where a comma is before decimals, a point with three digits after it is open',
    rule: amount,
    values: [
      ['80,50', '80.50', 'decimalComma'],
      ['1.500', null, 'numberOpen'],
    ],
  },
  {
    why: 'a field with decimals has decimal points',
    rule: amount,
    values: [['1.500', '1.50', 'trailingZeros']],
  },
  {
    why: 'points between thousands elsewhere in the column',
    rule: amount,
    values: [
      ['1.234,50', '1234.50', 'decimalComma'],
      ['1.500', '1500', 'thousands'],
    ],
  },
  {
    why: 'one currency',
    rule: amount,
    values: [
      ['$12.50', '12.50', 'currency'],
      ['1,234.50 USD', '1234.50', 'currency'],
      ['US$ 5', '5', 'currency'],
    ],
  },
  {
    why: 'amounts in two currencies',
    rule: amount,
    values: [
      ['$12.50', null, 'currency'],
      ['12.50 €', null, 'currency'],
    ],
  },
  {
    why: 'one unit, however written',
    rule: amount,
    values: [
      ['12.0 oz', '12.0', 'unit'],
      ['12.0 OZ.', '12.0', 'unit'],
      ['12 ounce', '12', 'unit'],
      ['16.0 oz. Alumi-Tek', null, 'notANumber'],
      ['5 ft 10 in', null, 'notANumber'],
    ],
  },
  {
    why: 'one unit by another, however written',
    rule: amount,
    values: [
      ['12.5 mmol/l', '12.5', 'unit'],
      ['13 mmol/L', '13', 'unit'],
      ['7mmol/liter', '7', 'unit'],
      ['12 n/a', null, 'notANumber'],
      ['1.5 M/s', null, 'notANumber'],
      ['3 g/dl/h', null, 'notANumber'],
    ],
  },
  {
    why: 'one unit by two others',
    rule: amount,
    values: [
      ['13.2 g/dl', null, 'unit'],
      ['132 g/l', null, 'unit'],
    ],
  },
  {
    why: 'words after a unit, which may change the amount',
    rule: amount,
    values: [
      ['1 hour and a half', null, 'notANumber'],
      ['1 hour ½', null, 'notANumber'],
      ['2 hrs. plus', null, 'notANumber'],
      ['3 kg or more', null, 'notANumber'],
      ['4 g Half', null, 'notANumber'],
      ['5 hours thirty', null, 'notANumber'],
      ['6 h ٣٠', null, 'notANumber'],
      ['7 pounds x two', null, 'notANumber'],
      ['8 km dozen', null, 'notANumber'],
      ['1 hour outdoors', null, 'notANumber'],
    ],
  },
  {
    why: 'two numbers, which may be a share or a date',
    rule: { type: 'number', scale: 1, minimum: 0, maximum: 10 },
    values: [
      ['7.5/10', null, 'notANumber'],
      ['8 out of 10', null, 'notANumber'],
    ],
  },
  {
    why: 'a half and three quarters',
    rule: { type: 'number', scale: 2, minimum: 0, maximum: 4 },
    values: [
      ['3/4', null, 'notANumber'],
      ['3.5/4', null, 'notANumber'],
    ],
  },
  {
    why: 'hours and minutes beside hours',
    rule: { type: 'number', scale: 0 },
    values: [
      ['2 h', '2', 'unit'],
      ['1 h 50 min', null, 'notANumber'],
    ],
  },
  {
    why: 'hours and minutes',
    rule: { type: 'number', scale: 0, maximum: 600 },
    values: [
      ['1 hr. 50 min.', null, 'notANumber'],
      ['2h5m', null, 'notANumber'],
      ['95 min', '95', 'unit'],
      ['1:50', null, 'notANumber'],
      ['20 h 5 min', null, 'notANumber'],
    ],
  },
  {
    why: 'hours and minutes where decimals of hours are allowed',
    rule: { type: 'number', scale: 2 },
    values: [['1 hr 30 min', null, 'notANumber']],
  },
  {
    why: 'two units',
    rule: amount,
    values: [
      ['12 kg', null, 'unit'],
      ['500 g', null, 'unit'],
    ],
  },
  {
    why: 'per cent where one meaning fits the rule',
    rule: share,
    values: [
      ['12.5%', '0.125', 'percent'],
      ['50 %', '0.5', 'percent'],
      ['0.5%', null, 'percent'],
      ['0%', '0', 'percent'],
    ],
  },
  { why: 'per cent where both meanings fit', rule: amount, values: [['50%', null, 'percent']] },
  {
    why: 'words for true where a number is 0 or 1',
    rule: { type: 'number', scale: 0, minimum: 0, maximum: 1 },
    values: [
      ['TRUE', '1', 'variant'],
      ['false', '0', 'variant'],
      ['maybe', null, 'notANumber'],
    ],
  },
  { why: 'words for true in another number', rule: amount, values: [['TRUE', null, 'notANumber']] },
  {
    why: 'an amount in millions is no length',
    rule: { type: 'number' },
    values: [
      ['1.5M', null, 'notANumber'],
      ['2MM', null, 'notANumber'],
      ['3k', null, 'notANumber'],
    ],
  },
  {
    why: 'noise of floating point is rounded, real digits are not',
    rule: share,
    values: [
      ['0.07200000000000001', '0.072', 'floatNoise'],
      ['0.0719999999999', '0.072', 'floatNoise'],
      ['0.300000012', null, 'tooManyDecimals'],
      ['0.30000001192092896', '0.3', 'floatNoise'],
      ['0.3333333333333333', null, 'tooManyDecimals'],
      ['0.14159', null, 'tooManyDecimals'],
      ['0.5000', '0.500', 'trailingZeros'],
    ],
  },
  {
    why: 'negative numbers',
    rule: { type: 'number' },
    values: [
      ['(1,200.00)', '-1200.00', 'negative'],
      ['5-', '-5', 'negative'],
      ['\u22125', '-5', 'negative'],
      ['($5.00)', '-5.00', 'currency'],
    ],
  },
  ...[{ minimum: 0 }, { minimum: 1, scale: 2 }].map((bounds) => ({
    why: `a negative number in another form where the minimum is ${bounds.minimum}`,
    rule: { type: 'number', ...bounds } as const,
    values: negativeForms.map((value): [string, null, 'notANumber'] => [value, null, 'notANumber']),
  })),
  {
    why: 'a minus sign after a number or in front of a unit where negative numbers are allowed',
    rule: { type: 'number', minimum: -100 },
    values: [
      ['(25.00)', '-25.00', 'negative'],
      ['12-', '-12', 'negative'],
      ['-5 kg', '-5', 'unit'],
      ['(250)', null, 'negative'],
    ],
  },
  {
    why: 'a dash that stands for no cents is no minus sign',
    rule: { type: 'number', minimum: 0 },
    values: [
      ['12,-', '12', 'numberForm'],
      ['12.\u2013', '12', 'numberForm'],
    ],
  },
  ...[false, true].map((required) => ({
    why: `a unit, a currency or a flag alone in ${required ? 'a required' : 'an optional'} column`,
    rule: amount,
    required,
    values: ['cm', 'kg', 'EUR', '€', '%', '*', '**', 'c', 's', 'u', 'e', 'p'].map(
      (value): [string, null, 'notANumber'] => [value, null, 'notANumber'],
    ),
  })),
  {
    why: 'a number with the flag of a statistic',
    rule: amount,
    values: [
      ['7 u', null, 'notANumber'],
      ['7u', null, 'notANumber'],
      ['12.5 s', null, 'notANumber'],
      ['3 c', null, 'notANumber'],
      ['3 d', null, 'notANumber'],
      ['3*', null, 'notANumber'],
      ['3 e', null, 'notANumber'],
    ],
  },
  {
    why: 'a number with a whole word for its unit',
    rule: amount,
    values: [
      ['7 sec', '7', 'unit'],
      ['8 seconds', '8', 'unit'],
    ],
  },
  {
    why: 'digits that Excel dropped are lost, other exponents are exact',
    rule: { type: 'number' },
    values: [
      ['1.2E+05', null, 'shortenedNumber'],
      ['1.5e-3', '0.0015', 'exponent'],
      ['5.38E7', null, 'shortenedNumber'],
      ['1.2345678E7', '12345678', 'exponent'],
      ['1e+05', '100000', 'exponent'],
      ['1E+05', null, 'shortenedNumber'],
    ],
  },
  {
    why: 'a placeholder in a column that may be empty',
    rule: amount,
    values: [
      ['N/A', '', 'placeholder'],
      ['-', '', 'placeholder'],
      ['null', '', 'placeholder'],
      ['#N/A', '', 'placeholder'],
      ['Unknown', '', 'placeholder'],
      ['constructor', null, 'notANumber'],
      ['nothing', null, 'notANumber'],
    ],
  },
  {
    why: 'a placeholder in a required column',
    rule: amount,
    required: true,
    values: [
      ['N/A', null, 'placeholder'],
      ['', null, 'required'],
    ],
  },
  {
    why: 'errors and lost values of a spreadsheet',
    rule: amount,
    values: [
      ['#####', null, 'hashes'],
      ['#REF!', null, 'errorCell'],
    ],
  },
  {
    why: 'an amount with a letter that may be more than a unit has no unit',
    rule: amount,
    values: [
      ['1.5G', null, 'notANumber'],
      ['50c', null, 'notANumber'],
      ['12a', null, 'notANumber'],
    ],
  },
  {
    why: 'a thousand above the maximum is no small number with zeros after a comma',
    rule: { type: 'number', scale: 0, minimum: 1, maximum: 999 },
    values: [['1,000', null, 'numberOpen']],
  },
  {
    why: 'an amount of money with a point that may stand between thousands',
    rule: { type: 'number' },
    values: [
      ['1.234 €', null, 'currency'],
      ['12.50 €', '12.50', 'currency'],
    ],
  },
]

describe('A bad number', () => {
  it.for(columns)('has the right suggestion and kind: $why', async (column) => {
    expect(await suggestionsIn(column)).toEqual(column.values.map((value) => [...value]))
  })
})
