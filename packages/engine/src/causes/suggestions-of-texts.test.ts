import { describe, expect, it } from 'vitest'
import { type SuggestedColumn, suggestionsIn } from '../../test/suggested-column.ts'

const zip = { type: 'pattern', pattern: '[0-9]{5}' } as const
const code = { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{2}' } as const

const columns: SuggestedColumn[] = [
  {
    why: 'a day with the name of its month is no code without its separators',
    rule: { type: 'pattern', pattern: '[A-Z0-9]{3}-[A-Z0-9]{4}' },
    values: [
      ['12MAR24', null, 'patternMismatch'],
      ['ABC1234', 'ABC-1234', 'variant'],
    ],
  },
  {
    why: 'letters and digits with other separators than the pattern has in fixed places',
    rule: { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{3}[0-9X]' },
    values: [
      ['AB1234', 'AB-1234', 'variant'],
      ['AB_1234', 'AB-1234', 'variant'],
      ['AB/123X', 'AB-123X', 'variant'],
      ['AB - 1234', 'AB-1234', 'spaces'],
      ['ab 1234', 'AB-1234', 'variant'],
      ['AB 12345', null, 'patternMismatch'],
      ['AB 123', null, 'patternMismatch'],
      ['A1-1234', null, 'patternMismatch'],
      ['AB (1234)', null, 'patternMismatch'],
    ],
  },
  {
    why: 'signs between letters and digits divide them as in the text',
    rule: { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{2}-[0-9]{2}' },
    values: [
      ['AB 1.2.34', null, 'patternMismatch'],
      ['AB 12.34', 'AB-12-34', 'variant'],
      ['AB1234', 'AB-12-34', 'variant'],
    ],
  },
  {
    why: 'a code whose separator is not in all of its texts',
    rule: { type: 'pattern', pattern: '[A-Z][0-9][0-9A-Z](?:\\.[0-9A-Z]{1,4})?' },
    values: [
      ['E119', null, 'patternMismatch'],
      ['E1l9', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a number with an exponent is no code',
    rule: { type: 'pattern', pattern: '[A-Z0-9]{3}-[A-Z0-9]{4}' },
    values: [
      ['1.2345E7', null, 'patternMismatch'],
      ['12.345E7', null, 'patternMismatch'],
    ],
  },
  {
    why: 'two forms of separators',
    rule: { type: 'pattern', pattern: '[A-Z]-[0-9]{3}|[A-Z][0-9]-[0-9]{2}' },
    values: [['A 1.23', null, 'patternMismatch']],
  },
  {
    why: 'an l among capitals and digits may stand for 1, and an o for 0',
    rule: { type: 'pattern', pattern: '[A-Z][0-9][0-9A-Z]{2}' },
    values: [
      ['E1l9', null, 'patternMismatch'],
      ['E10o', null, 'patternMismatch'],
      ['E1a9', 'E1A9', 'letterCase'],
      ['e1l9', 'E1L9', 'letterCase'],
    ],
  },
  {
    why: 'words that fit by themselves are not joined',
    rule: { type: 'pattern', pattern: '[A-Z]+[0-9]*' },
    values: [
      ['ABC DEF', null, 'patternMismatch'],
      ['A B C', null, 'patternMismatch'],
      ['AB 12', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a space inside an address',
    rule: { type: 'pattern', pattern: '[^@\\s]+@[^@\\s]+\\.[^@\\s]+' },
    values: [
      ['anna @example.com', 'anna@example.com', 'spaces'],
      ['Anna anna@example.com', null, 'patternMismatch'],
    ],
  },
  {
    why: 'three digits are no part of a date',
    rule: { type: 'pattern', pattern: '\\d{3}-\\d{2}-\\d{4}' },
    values: [
      ['123456789', '123-45-6789', 'variant'],
      ['123 45 6789', '123-45-6789', 'variant'],
      ['123456789.0', '123-45-6789', 'variant'],
      ['12-3456789', null, 'patternMismatch'],
    ],
  },
  {
    why: 'hours where they are accepted too',
    rule: { type: 'pattern', pattern: '\\d+ (?:min|h)' },
    values: [['2 hours', '2 h', 'variant']],
  },
  {
    why: 'a range of round numbers is not one number',
    rule: { type: 'pattern', pattern: '\\d{7,10}' },
    values: [
      ['5000 - 10000', null, 'patternMismatch'],
      ['555 - 1234', '5551234', 'punctuation'],
    ],
  },
  {
    why: 'leading zeros are lost where other values have them',
    rule: zip,
    values: [['01234'], ['1234', '01234', 'pad'], ['12', '00012', 'pad']],
  },
  {
    why: 'leading zeros are lost where no value is left that could have them',
    rule: zip,
    values: [
      ['1234', '01234', 'pad'],
      ['2345', '02345', 'pad'],
    ],
  },
  {
    why: 'a value is so long that nobody sees what would be changed',
    rule: { type: 'pattern', pattern: '[a-z]*' },
    values: [
      [`"${'a'.repeat(400)}"`, 'a'.repeat(400), 'quotes'],
      [`"${'a'.repeat(501)}"`, null, 'quotes'],
    ],
  },
  {
    why: 'a digit may be missing anywhere where no value begins with a zero',
    rule: zip,
    values: [['71234'], ['81234'], ['1234', null, 'pad']],
  },
  {
    why: 'more than one length fits',
    rule: { type: 'pattern', pattern: '[0-9]{8,10}' },
    values: [['0123456789'], ['1234567', null, 'patternMismatch']],
  },
  {
    why: 'a pattern has its separators in fixed places',
    rule: { type: 'pattern', pattern: '\\d{3}-\\d{4}' },
    values: [
      ['5551234', '555-1234', 'variant'],
      ['555 1234', '555-1234', 'variant'],
      ['(555)1234', '555-1234', 'variant'],
      ['555/1234', '555-1234', 'variant'],
      ['555.1234', null, 'patternMismatch'],
      ['55512345', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a pattern has separators in fixed places',
    rule: { type: 'pattern', pattern: '\\(\\d{3}\\) \\d{3}-\\d{4}' },
    values: [
      ['555-123-4567', '(555) 123-4567', 'variant'],
      ['(555)123-4567', '(555) 123-4567', 'variant'],
      ['1-555-123-4567', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a pattern that allows two forms does not say which is meant',
    rule: { type: 'pattern', pattern: '\\d{3}[-]\\d{4}|\\d{3}\\.\\d{4}' },
    values: [['5551234', null, 'patternMismatch']],
  },
  {
    why: 'eight digits may be a date of another order',
    rule: { type: 'pattern', pattern: '\\d\\d-\\d\\d-\\d{4}' },
    values: [['20240131', null, 'patternMismatch']],
  },
  {
    why: 'whole numbers are no amounts with decimals',
    rule: { type: 'pattern', pattern: '\\d{1,3}(?:,\\d{3}){0,2}\\.\\d{2}' },
    values: [
      ['1234567', null, 'patternMismatch'],
      ['1 234 567', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a pattern has several forms',
    rule: { type: 'pattern', pattern: '\\d{5}(?:-\\d{4})?' },
    values: [['123456789', null, 'patternMismatch']],
  },
  {
    why: 'digits are no amount with a decimal comma',
    rule: { type: 'pattern', pattern: '\\d{3}\\.\\d{3},\\d{2}' },
    values: [['12345678', null, 'patternMismatch']],
  },
  {
    why: 'digits are no date, whichever signs are between its parts',
    rule: { type: 'pattern', pattern: '\\d{4}_\\d{2}_\\d{2}|\\d{4}:\\d{2}:\\d{2}' },
    values: [['31012024', null, 'patternMismatch']],
  },
  {
    why: 'digits are no time with milliseconds',
    rule: { type: 'pattern', pattern: '\\d{2}:\\d{2}:\\d{2}\\.\\d{3}' },
    values: [['123456789', null, 'patternMismatch']],
  },
  {
    why: 'digits are no place on a map',
    rule: { type: 'pattern', pattern: '\\d{2}\\.\\d{6}, \\d{2}\\.\\d{6}' },
    values: [['4812345611123456', null, 'patternMismatch']],
  },
  {
    why: 'times of day of twelve hours',
    rule: { type: 'pattern', pattern: '\\d{1,2}:\\d{2} [ap]\\.m\\.' },
    values: [
      ['7:10am', '7:10 a.m.', 'variant'],
      ['7:10 PM', '7:10 p.m.', 'variant'],
      ['7:10a', '7:10 a.m.', 'variant'],
      ['12/02/2011 7:10 a.m.', '7:10 a.m.', 'variant'],
      ['Dec 2, 2011 7:10 AM', '7:10 a.m.', 'variant'],
      ['Thu, Dec 1 7:10 pm', null, 'patternMismatch'],
      ['7:10aDec 1', null, 'patternMismatch'],
      ['7:10 a.m. (-00:00)', null, 'patternMismatch'],
      ['12:10 PM', '12:10 p.m.', 'variant'],
      ['7:10', null, 'patternMismatch'],
      ['7:10 - 8:10 pm', null, 'patternMismatch'],
      ['7:10 am (late)', null, 'patternMismatch'],
      ['07:10 am', null, 'patternMismatch'],
      ['19:10', null, 'patternMismatch'],
    ],
  },
  {
    why: 'times of day of 24 hours',
    rule: { type: 'pattern', pattern: '(?:[01]\\d|2[0-3]):[0-5]\\d' },
    values: [
      ['7:10 PM', '19:10', 'variant'],
      ['7:10', '07:10', 'variant'],
      ['12:05 am', '00:05', 'variant'],
      ['07:10:00', '07:10', 'variant'],
      ['2024-01-01T07:10', '07:10', 'variant'],
      ['7:10 Uhr', '07:10', 'variant'],
      ['7:10h', '07:10', 'variant'],
      ['07:10:30', null, 'patternMismatch'],
      ['25:10', null, 'patternMismatch'],
      ['13:10 pm', null, 'patternMismatch'],
    ],
  },
  {
    why: 'beside a time, what is no whole date',
    rule: { type: 'pattern', pattern: '(?:[01]\\d|2[0-3]):[0-5]\\d' },
    values: [
      ['Monthly 10:30', null, 'patternMismatch'],
      ['Friends 9:30', null, 'patternMismatch'],
      ['Thursday 9:30', null, 'patternMismatch'],
      ['SAT 9:30', null, 'patternMismatch'],
      ['12:30 1.5', null, 'patternMismatch'],
      ['12-05 7:10', null, 'patternMismatch'],
      ['1.5.2024 7:10', '07:10', 'variant'],
    ],
  },
  {
    why: 'a date that the pattern allows beside the time is not dropped',
    rule: { type: 'pattern', pattern: '(?:\\d{4}-\\d\\d-\\d\\d )?(?:[01]\\d|2[0-3]):[0-5]\\d' },
    values: [
      ['2024/01/31 07:10', null, 'patternMismatch'],
      ['7:10 PM', '19:10', 'variant'],
    ],
  },
  {
    why: 'a time that the pattern accepts in 12 and in 24 hours',
    rule: { type: 'pattern', pattern: '(?:[01]\\d|2[0-3]):[0-5]\\d(?: [AP]M)?' },
    values: [['7:10 PM', null, 'patternMismatch']],
  },
  {
    why: 'a pattern that does not say how many hours a day has',
    rule: { type: 'pattern', pattern: '\\d\\d:\\d\\d' },
    values: [
      ['7:10 AM', '07:10', 'variant'],
      ['7:10 PM', null, 'patternMismatch'],
    ],
  },
  {
    why: 'three numbers may be minutes and seconds, or hours and minutes as a spreadsheet writes them',
    rule: { type: 'pattern', pattern: '[0-5]\\d:[0-5]\\d' },
    values: [
      ['0:45:00', null, 'patternMismatch'],
      ['00:05:00', null, 'patternMismatch'],
      ['0:45:30', null, 'patternMismatch'],
      ['0:00:00', '00:00', 'variant'],
      ['7:10:00', '07:10', 'variant'],
    ],
  },
  {
    why: 'a unit as the pattern has it',
    rule: { type: 'pattern', pattern: '\\d+ min|\\d+(?:\\.\\d)? ?oz' },
    values: [
      ['110 minutes', '110 min', 'variant'],
      ['110min', '110 min', 'variant'],
      ['1 hr. 50 min.', null, 'patternMismatch'],
      ['12.0 Ounces', '12.0 oz', 'variant'],
      ['110', null, 'patternMismatch'],
      ['2 hours', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a unit of another amount',
    rule: { type: 'pattern', pattern: '\\d+ (?:fl oz|kcal|tonnes)' },
    values: [
      ['12 oz', null, 'patternMismatch'],
      ['12 floz', '12 fl oz', 'variant'],
      ['500 cal', null, 'patternMismatch'],
      ['5 tons', null, 'patternMismatch'],
      ['5 t', '5 tonnes', 'variant'],
    ],
  },
  {
    why: 'a pattern that allows two names of a unit, and one without the space',
    rule: { type: 'pattern', pattern: '\\d+ (?:min|mins)|\\d+min' },
    values: [['110 minutes', null, 'patternMismatch']],
  },
  {
    why: 'a pattern that allows two names of a unit',
    rule: { type: 'pattern', pattern: '\\d+ (?:min|mins)' },
    values: [['110 minutes', null, 'patternMismatch']],
  },
  {
    why: 'codes written in another way',
    rule: code,
    values: [
      ['ab-12', 'AB-12', 'letterCase'],
      ['AB\u201312', 'AB-12', 'variant'],
      ['AB - 12', 'AB-12', 'spaces'],
      ["'AB-12", 'AB-12', 'quotes'],
      ['AB12', 'AB-12', 'variant'],
      ['3-Jan', null, 'codeAsDate'],
      ['1.2E+05', null, 'shortenedNumber'],
    ],
  },
  {
    why: 'digits with signs between them, where only the digits fit',
    rule: { type: 'pattern', pattern: '[0-9]{7,10}' },
    values: [
      ['555-123-4567', '5551234567', 'punctuation'],
      ['(555) 123-4567', '5551234567', 'punctuation'],
      ['555.123.4567', '5551234567', 'punctuation'],
      ['12345-67890', '1234567890', 'punctuation'],
      ['5551234567;', '5551234567', 'punctuation'],
      ['٥٥٥١٢٣٤٥٦٧', '5551234567', 'otherDigits'],
      ['1e+06', '1000000', 'exponent'],
      ['+1 555 123 4567', null, 'patternMismatch'],
      ['0049 30 123456', null, 'patternMismatch'],
      ['555-123-4567 x12', null, 'patternMismatch'],
      ['555-1234/5678', null, 'patternMismatch'],
      ['1234567.5', null, 'patternMismatch'],
      ['192.168.10.99', null, 'patternMismatch'],
      ['2019-2020', null, 'patternMismatch'],
      ['03.05.2024', null, 'patternMismatch'],
      ['2024-03-05', null, 'codeAsDate'],
      ['12-34-56', null, 'patternMismatch'],
      ['1 234 567.50', null, 'patternMismatch'],
      ['08.00 - 16.30', null, 'patternMismatch'],
      ['100-200.50', null, 'patternMismatch'],
      ['01.02.20-03.04.20', null, 'patternMismatch'],
    ],
  },
  {
    why: 'a code with signs between its digits may be written with them',
    rule: { type: 'pattern', pattern: '\\d{3}-\\d{7}|\\d{10}' },
    values: [['555-123-4567', '5551234567', 'punctuation']],
  },
  {
    why: 'an international number',
    rule: { type: 'pattern', pattern: '\\+\\d{8,14}' },
    values: [
      ['+41 44 123 45 67', '+41441234567', 'spaces'],
      ['+49 (171) 123-4500', '+491711234500', 'punctuation'],
      ['0049 171 1234500', '+491711234500', 'punctuation'],
      ['+33 6.12.34.56.78', '+33612345678', 'punctuation'],
      ['+49 (0)171 1234500', null, 'patternMismatch'],
      ['0171 1234500', null, 'patternMismatch'],
    ],
  },
  {
    why: 'leading zeros that the pattern forbids',
    rule: { type: 'pattern', pattern: '[1-9]\\d{0,9}' },
    values: [
      ['0000004711', '4711', 'variant'],
      ['04', '4', 'variant'],
      ['0000', null, 'patternMismatch'],
      ['00000047110', null, 'patternMismatch'],
    ],
  },
  {
    why: 'leading zeros beside another fault are none too many',
    rule: { type: 'pattern', pattern: '\\d{5}' },
    values: [['012345', null, 'patternMismatch']],
  },
  {
    why: 'leading zeros are lost beside a point',
    rule: { type: 'pattern', pattern: '\\d{5}' },
    values: [['01234'], ['1234.0', '01234', 'pad'], ['12345.0', '12345', 'trailingZeros']],
  },
  {
    why: 'likeness is not for patterns: an either-or of letter case stays open',
    rule: { type: 'pattern', pattern: 'AB|ab' },
    values: [['Ab', null, 'patternMismatch']],
  },
  {
    why: 'texts',
    rule: { type: 'text', minLength: 3, maxLength: 5 },
    values: [
      ['"abcde"', 'abcde', 'quotes'],
      ['ab', null, 'textTooShort'],
      ['abcdefg', null, 'textTooLong'],
      ['--', '', 'placeholder'],
    ],
  },
]

describe('A bad text', () => {
  it.for(columns)('has the right suggestion and kind: $why', async (column) => {
    expect(await suggestionsIn(column)).toEqual(column.values.map((value) => [...value]))
  })
})
