import { worksheetBounds } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()

type Column = {
  why: string
  rule: Rule
  required?: boolean
  /** Each value of the column with its suggestion and the kind of its cause; without them, a valid value. */
  values: readonly (readonly [string] | readonly [string, string | null, Cause['kind']])[]
}

/** A column beside a number that is always valid: a row must not be blank. */
async function verdictOf(rule: Rule, values: readonly string[], required = false) {
  const field = (name: string, ofField: Rule): Field => ({
    name,
    description: '',
    category: '',
    required,
    rule: ofField,
  })
  const rows = values.map((value, index) => `${index + 1},"${value.replaceAll('"', '""')}"\n`)
  const verdict = await validateTable({
    source: bytesSource(platform.encodeUtf8(`Id,Value\n${rows.join('')}`)),
    fileName: 'a.csv',
    fields: [field('Id', { type: 'number' }), field('Value', rule)],
    platform: { ...platform, currentYear: 2026 },
  })
  if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
  return verdict
}

async function found({ rule, required, values }: Column) {
  const { rows, causes } = await verdictOf(
    rule,
    values.map(([value]) => value),
    required,
  )
  const kinds = new Map(causes.map(({ id, kind }) => [id, kind]))
  const bad = new Map(
    rows.map(({ rowNumber, columnValidationErrors: [{ suggestion, cause }] }) => [
      rowNumber,
      [suggestion, kinds.get(cause)] as const,
    ]),
  )
  return values.map(([value], index) => [value, ...(bad.get(index + 2) ?? [])])
}

const date = { type: 'date', format: 'dd/MM/yyyy' } as const
const isoDate = { type: 'date', format: 'yyyy-MM-dd' } as const
const amount = { type: 'number', scale: 2, minimum: 0, maximum: 100_000 } as const
const share = { type: 'number', scale: 3, minimum: 0, maximum: 1 } as const
const list = {
  type: 'list',
  options: ['Professional', 'Open', 'Closed', 'Follow-up', 'Pending review', 'Café', 'Paid'],
} as const
const zip = { type: 'pattern', pattern: '[0-9]{5}' } as const
const code = { type: 'pattern', pattern: '[A-Z]{2}-[0-9]{2}' } as const

const columns: Column[] = [
  {
    why: 'a date in another format has one meaning where the year comes first, or the month is a word',
    rule: date,
    values: [
      ['2024-03-05', '05/03/2024', 'dateFormat'],
      ['2024/3/5', '05/03/2024', 'dateFormat'],
      ['20240305', '05/03/2024', 'dateFormat'],
      ['31122024', '31/12/2024', 'dateFormat'],
      ['5 Mar 2024', '05/03/2024', 'dateFormat'],
      ['March 5th, 2024', '05/03/2024', 'dateFormat'],
      ['5-Mar-24', '05/03/2024', 'dateFormat'],
      ['Tuesday, 5 March 2024', '05/03/2024', 'dateFormat'],
      ['25.12.2024', '25/12/2024', 'dateFormat'],
      ['5-Mar', null, 'notADate'],
      ['12/2024', null, 'notADate'],
      ['2024', null, 'notADate'],
    ],
  },
  {
    why: 'the name of a month is German, French, Spanish, Italian, Dutch or Portuguese',
    rule: date,
    values: [
      ['3. März 2024', '03/03/2024', 'dateFormat'],
      ['3. Mrz. 2024', '03/03/2024', 'dateFormat'],
      ['3 Mai 2024', '03/05/2024', 'dateFormat'],
      ['03-Okt-2024', '03/10/2024', 'dateFormat'],
      ['3. Dez. 24', '03/12/2024', 'dateFormat'],
      ['Montag, 15. Jänner 2024', '15/01/2024', 'dateFormat'],
      ['Mo., 3. Juni 2024', '03/06/2024', 'dateFormat'],
      ['1er août 2024', '01/08/2024', 'dateFormat'],
      ['3 de enero de 2024', '03/01/2024', 'dateFormat'],
      ['15 gennaio 2024', '15/01/2024', 'dateFormat'],
      ['15 mrt 2024', '15/03/2024', 'dateFormat'],
      ['15 fevereiro 2024', '15/02/2024', 'dateFormat'],
      ['3. März 2024, 10:30 Uhr', '03/03/2024', 'timeOfDay'],
      ['31. Juni 2024', null, 'dateImpossible'],
      ['3 jui 2024', null, 'notADate'],
      ['3. Marke 2024', null, 'notADate'],
    ],
  },
  {
    why: 'a date with signs that do not belong there, or with digits of another script',
    rule: date,
    values: [
      ['25/12/2024;', '25/12/2024', 'punctuation'],
      ['25_12_2024', '25/12/2024', 'dateFormat'],
      ['٢٥/١٢/٢٠٢٤', '25/12/2024', 'otherDigits'],
      ['２０２４-12-25', '25/12/2024', 'dateFormat'],
    ],
  },
  {
    why: 'two digits are a year only where one century is likely',
    rule: date,
    values: [
      ['31/12/24', '31/12/2024', 'dateFormat'],
      ['31/12/71', '31/12/1971', 'dateFormat'],
      ['31/12/45', null, 'dateShortYear'],
    ],
  },
  {
    why: 'valid dates prove that the day comes first',
    rule: date,
    values: [
      ['25/12/2024'],
      ['3/4/2024', '03/04/2024', 'dateFormat'],
      ['03-04-2024', '03/04/2024', 'dateFormat'],
    ],
  },
  {
    why: 'bad dates prove that the month comes first',
    rule: date,
    values: [
      ['12/25/2024', '25/12/2024', 'dateSwapped'],
      ['03/04/2024'],
      ['3/4/2024', '04/03/2024', 'dateFormat'],
    ],
  },
  {
    why: 'no value shows an order',
    rule: date,
    values: [
      ['03-04-2024', null, 'dateAmbiguous'],
      ['04-04-2024', '04/04/2024', 'dateAmbiguous'],
      ['2024-04-03', '03/04/2024', 'dateFormat'],
    ],
  },
  {
    why: 'the column shows both orders',
    rule: date,
    values: [
      ['13/04/2024'],
      ['03-04-2024', null, 'dateAmbiguous'],
      ['03/31/2024', '31/03/2024', 'dateSwapped'],
    ],
  },
  {
    why: 'valid dates that begin with the year say nothing about others',
    rule: isoDate,
    values: [['2024-12-25'], ['03/04/2024', null, 'dateAmbiguous']],
  },
  {
    why: 'a time of day is cut, unless another zone may make it another day',
    rule: isoDate,
    values: [
      ['2024-03-05 00:00:00', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T10:30', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T00:00:00Z', '2024-03-05', 'timeOfDay'],
      ['2024-03-05T22:30:00Z', null, 'timeOfDay'],
      ['2024-03-05 at 10:30', '2024-03-05', 'timeOfDay'],
      ['Tue Mar 05 2024 00:00:00 GMT+0100 (CET)', '2024-03-05', 'timeOfDay'],
      ['25/03/2024 10:30 PM', '2024-03-25', 'timeOfDay'],
    ],
  },
  {
    why: 'days that do not exist have no right value',
    rule: date,
    values: [
      ['31/02/2024', null, 'dateImpossible'],
      ['31-04-2024', null, 'dateImpossible'],
      ['00/00/0000', '', 'placeholder'],
    ],
  },
  {
    why: 'numbers are days where all of them can be',
    rule: date,
    values: [
      ['45123', '16/07/2023', 'excelSerial'],
      ['45123.5', '16/07/2023', 'excelSerial'],
    ],
  },
  {
    why: 'numbers are no days where one of them is a day, month and year without its first zero',
    rule: date,
    values: [
      ['45123', null, 'notADate'],
      ['10524', null, 'notADate'],
    ],
  },
  {
    why: 'numbers are no days where one of them is another number',
    rule: date,
    values: [
      ['45123', null, 'notADate'],
      ['7', null, 'notADate'],
    ],
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
      ['16.0 oz. Alumi-Tek', '16.0', 'unit'],
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
    why: 'words behind a unit that change the amount',
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
    ],
  },
  {
    why: 'words behind a unit that only say of what',
    rule: amount,
    values: [
      ['1 hour outdoors', '1', 'unit'],
      ['2 hours of tenancy', '2', 'unit'],
      ['3 hr. orange tonic', '3', 'unit'],
    ],
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
      ['kg', '', 'placeholder'],
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
    why: 'values of a list, written in another way',
    rule: list,
    values: [
      ['open', 'Open', 'letterCase'],
      ['"Open"', 'Open', 'quotes'],
      ['Pending\u00a0\u00a0review', 'Pending review', 'spaces'],
      ['Open\u200b', 'Open', 'spaces'],
      ['Follow up', 'Follow-up', 'variant'],
      ['cafe', 'Café', 'variant'],
    ],
  },
  {
    why: 'misspelt values of a list',
    rule: list,
    values: [
      ['Profesional', 'Professional', 'misspelt'],
      ['profesionall', 'Professional', 'misspelt'],
      ['Oepn', 'Open', 'misspelt'],
      ['Pend', 'Pending review', 'misspelt'],
      ['Unpaid', null, 'notInList'],
      ['Opened', null, 'notInList'],
      ['Denied', null, 'notInList'],
    ],
  },
  {
    why: 'the code of another country is no slip of the keyboard',
    rule: { type: 'list', options: ['DE', 'FR', 'GB', 'US', 'NL', 'ES'] },
    values: [
      ['UK', null, 'notInList'],
      ['SE', null, 'notInList'],
      ['NLD', 'NL', 'misspelt'],
      ['DX', 'DE', 'misspelt'],
    ],
  },
  {
    why: 'the code of another state is no slip of the keyboard',
    rule: { type: 'list', options: ['CA', 'TX', 'NY', 'OR', 'WA'] },
    values: [
      ['TN', null, 'notInList'],
      ['OK', null, 'notInList'],
      ['QX', 'TX', 'misspelt'],
    ],
  },
  {
    why: 'the code of another currency is no slip of the keyboard',
    rule: { type: 'list', options: ['USD', 'EUR', 'GBP', 'CHF'] },
    values: [
      ['AUD', null, 'notInList'],
      ['EUT', 'EUR', 'misspelt'],
    ],
  },
  {
    why: 'another size is no slip of the keyboard',
    rule: { type: 'list', options: ['S', 'M', 'L', 'XL', 'XXL'] },
    values: [['XXXL', null, 'notInList']],
  },
  {
    why: 'a word that means neither Yes nor No is no slip for them, and a doubt is none',
    rule: { type: 'list', options: ['Yes', 'No'] },
    values: [
      ['Now', null, 'notInList'],
      ['Not', null, 'notInList'],
      ['yet', null, 'notInList'],
      ['Yes?', null, 'notInList'],
      ['Noo', 'No', 'misspelt'],
    ],
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
    why: 'an amount with a letter that may be more than a unit has no unit',
    rule: amount,
    values: [
      ['1.5G', null, 'notANumber'],
      ['50c', null, 'notANumber'],
      ['12a', null, 'notANumber'],
    ],
  },
  {
    why: 'a thousand above the maximum is no small number with zeros behind a comma',
    rule: { type: 'number', scale: 0, minimum: 1, maximum: 999 },
    values: [['1,000', null, 'numberOpen']],
  },
  {
    why: 'a value made of words of other options is another value',
    rule: {
      type: 'list',
      options: ['North East', 'South West', '8:40 a.m.', '9:15 p.m.', 'Type A', 'Class B'],
    },
    values: [
      ['North West', null, 'notInList'],
      ['8:40 p.m.', null, 'notInList'],
      ['Type B', null, 'notInList'],
      ['Norht East', 'North East', 'misspelt'],
    ],
  },
  {
    why: 'short codes where exactly one option is nearest',
    rule: { type: 'list', options: ['AL', 'AK', 'CA', 'AMI-1', 'AMI-2'] },
    values: [
      ['xL', 'AL', 'misspelt'],
      ['CAx', 'CA', 'misspelt'],
      ['Ax', null, 'notInList'],
      ['AMI-x', null, 'notInList'],
      ['AMI-3', null, 'notInList'],
      ['AMX-1', 'AMI-1', 'misspelt'],
    ],
  },
  {
    why: 'an amount of money with a point that may stand between thousands',
    rule: { type: 'number' },
    values: [
      ['1.234 €', null, 'currency'],
      ['12.50 €', '12.50', 'currency'],
    ],
  },
  {
    why: 'an option of the list that reads like a placeholder',
    rule: { type: 'list', options: ['Yes', 'No', 'Unknown', 'N/A'] },
    values: [
      ['unknown', 'Unknown', 'letterCase'],
      ['n/a', 'N/A', 'letterCase'],
      ['"Unknown"', 'Unknown', 'quotes'],
      ['null', '', 'placeholder'],
    ],
  },
  {
    why: 'another option begins as the value does, or the difference is a sign',
    rule: { type: 'list', options: ['May', 'March', 'A', 'A+', 'B', '<5', '5-9', '>10'] },
    values: [
      ['Mar', null, 'notInList'],
      ['Ma', null, 'notInList'],
      ['Marhc', 'March', 'misspelt'],
      ['A-', null, 'notInList'],
      ['B\u2212', null, 'notInList'],
      ['>5', null, 'notInList'],
      ['<10', null, 'notInList'],
      ['10', null, 'notInList'],
      ['5 9', '5-9', 'variant'],
    ],
  },
  {
    why: 'words for yes and no, where the list has both',
    rule: { type: 'list', options: ['Yes', 'No'] },
    values: [
      ['Y', 'Yes', 'variant'],
      ['FALSE', 'No', 'variant'],
      ['1', 'Yes', 'variant'],
      ['0.0', 'No', 'variant'],
      ['on', 'Yes', 'variant'],
      ['Falsch', 'No', 'variant'],
      ['maybe', null, 'notInList'],
    ],
  },
  {
    why: 'a word with another meaning is no slip of the keyboard',
    rule: { type: 'list', options: ['No', 'Low', 'High'] },
    values: [['on', null, 'notInList']],
  },
  {
    why: 'a label with its code',
    rule: { type: 'list', options: ['Open', 'Closed', 'In work'] },
    values: [
      ['1 - Open', 'Open', 'variant'],
      ['2: closed', 'Closed', 'variant'],
      ['C. In work', 'In work', 'variant'],
      ['Open (1)', 'Open', 'variant'],
      ['Open_x000D_', 'Open', 'spaces'],
      ['Not - Open', null, 'notInList'],
      ['Open - Closed', null, 'notInList'],
      ['Open (new)', null, 'notInList'],
      ['Open; Closed', null, 'notInList'],
    ],
  },
  {
    why: 'a code with its label',
    rule: { type: 'list', options: ['1', '2', 'A', 'A+'] },
    values: [
      ['1 - Open', '1', 'variant'],
      ['Closed (2)', '2', 'variant'],
      ['1 - 2', null, 'notInList'],
      ['2 - 5 years', null, 'notInList'],
      ['1) or 2', null, 'notInList'],
      ['1 - half', null, 'notInList'],
      ['A - not valid', null, 'notInList'],
      ['A. Smith', null, 'notInList'],
      ['A: A+', null, 'notInList'],
    ],
  },
  {
    why: 'a code that contradicts its label',
    rule: { type: 'list', options: ['Male', 'Female'] },
    values: [
      ['M - Male', 'Male', 'variant'],
      ['2 - Female', 'Female', 'variant'],
      ['F - Female', 'Female', 'variant'],
      ['W - Female', 'Female', 'variant'],
      ['F - Male', null, 'notInList'],
      ['Female (m)', null, 'notInList'],
    ],
  },
  {
    why: 'a code of the list that its label contradicts',
    rule: { type: 'list', options: ['M', 'F'] },
    values: [
      ['M - Male', 'M', 'variant'],
      ['F - Female', 'F', 'variant'],
      ['F - Male', null, 'notInList'],
      ['Female [M]', null, 'notInList'],
    ],
  },
  {
    why: 'a code by a label that says no',
    rule: { type: 'list', options: ['1', '2', '9'] },
    values: [
      ['1 - Yes', '1', 'variant'],
      ['2 - No', '2', 'variant'],
      ['2: Non', '2', 'variant'],
      ['2 - no 9', null, 'notInList'],
      ['2 - no entry', null, 'notInList'],
    ],
  },
  {
    why: 'letters that another program broke',
    rule: { type: 'list', options: ['München', 'Zürich', 'Tom & Jerry', 'A – B', '5 €'] },
    values: [
      ['MÃ¼nchen', 'München', 'brokenLetters'],
      ['mÃ¼nchen', 'München', 'letterCase'],
      ['A â€“ B', 'A – B', 'brokenLetters'],
      ['5 â‚¬', '5 €', 'brokenLetters'],
      ['Z&uuml;rich', 'Zürich', 'brokenLetters'],
      ['Tom &amp; Jerry', 'Tom & Jerry', 'brokenLetters'],
      ['Tom &#38; Jerry', 'Tom & Jerry', 'brokenLetters'],
      ['&uuml;ber', null, 'notInList'],
      ['Ã¼ber', null, 'notInList'],
    ],
  },
  {
    why: 'a list of numbers is not a list of words',
    rule: { type: 'list', options: ['100', '200'] },
    values: [
      ['101', null, 'notInList'],
      ['100.0', '100', 'variant'],
    ],
  },
  {
    why: 'leading zeros are lost where other values have them',
    rule: zip,
    values: [['01234'], ['1234', '01234', 'lostZeros'], ['12', '00012', 'lostZeros']],
  },
  {
    why: 'leading zeros are lost where no value is left that could have them',
    rule: zip,
    values: [
      ['1234', '01234', 'lostZeros'],
      ['2345', '02345', 'lostZeros'],
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
    values: [['71234'], ['81234'], ['1234', null, 'lostZeros']],
  },
  {
    why: 'more than one length fits',
    rule: { type: 'pattern', pattern: '[0-9]{8,10}' },
    values: [['0123456789'], ['1234567', null, 'patternMismatch']],
  },
  {
    why: 'codes written in another way',
    rule: code,
    values: [
      ['ab-12', 'AB-12', 'letterCase'],
      ['AB\u201312', 'AB-12', 'variant'],
      ['AB - 12', 'AB-12', 'spaces'],
      ["'AB-12", 'AB-12', 'quotes'],
      ['AB12', null, 'patternMismatch'],
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
    why: 'leading zeros are lost beside a point',
    rule: { type: 'pattern', pattern: '\\d{5}' },
    values: [['01234'], ['1234.0', '01234', 'lostZeros'], ['12345.0', '12345', 'trailingZeros']],
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

const longest = worksheetBounds.maxCellLength

/** A cell took a second where an expression could match two runs side by side. The test's time limits it. */
describe('Thirty of the longest cells', () => {
  it.for([
    {
      why: 'spaces behind a time',
      rule: date,
      head: '05/03/2024 10:00',
      fill: ' ',
      tail: 'x',
      kind: 'notADate',
    },
    { why: 'zeros of a share', rule: { type: 'number' }, head: '0.', fill: '0', tail: '1%', kind: 'percent' },
  ] as const)('are diagnosed: $why', async ({ rule, head, fill, tail, kind }) => {
    const value = head.padEnd(longest - tail.length, fill) + tail
    const kinds = (await found({ why: '', rule, values: Array.from({ length: 30 }, () => [value]) })).map(
      ([, , ofCell]) => ofCell,
    )
    expect(new Set(kinds)).toEqual(new Set([kind]))
  })
})

describe('A bad cell', () => {
  it.for(columns)('has the right suggestion and kind: $why', async (column) => {
    expect(await found(column)).toEqual(column.values.map((value) => [...value]))
  })
})

describe('A placeholder that may be emptied', () => {
  const fields = ['A', 'B', 'C'].map((name, index): Field => {
    const required = index === 2
    return { name, description: '', category: '', required, rule: { type: 'number' } }
  })

  it.for([
    { rows: ['N/A,,'], suggestions: [null], why: 'alone in its row' },
    { rows: ['N/A,-,'], suggestions: [null, null], why: 'alone but for another' },
    { rows: ['N/A, ,'], suggestions: [null], why: 'beside blanks' },
    { rows: ['N/A,1,'], suggestions: [''], why: 'beside a valid value' },
    { rows: ['N/A,x,'], suggestions: ['', null], why: 'beside a value without a suggestion' },
    { rows: ['N/A,,,,z'], suggestions: ['', null], why: 'beside an extra cell' },
    { rows: ['N/A,,', 'N/A,1,2', 'N/A,,'], suggestions: [null, '', null], why: 'alone in some of its rows' },
  ])('has a suggestion unless the row would be blank: $why', async ({ rows, suggestions }) => {
    for (const maxErrorRows of [100, 0]) {
      const verdict = await validateTable({
        source: bytesSource(platform.encodeUtf8(`A,B,C\n1,2,3\n${rows.join('\n')}\n`)),
        fileName: 'a.csv',
        fields,
        platform,
        maxErrorRows,
      })
      if (verdict.kind !== 'rowErrors') throw new Error(`No errors: ${verdict.kind}`)
      const { causes, causeRows } = verdict
      const found = [...verdict.rows, ...(maxErrorRows === 0 ? causeRows.flatMap((cause) => cause.rows) : [])]
        .flatMap((row) => row.columnValidationErrors.map((error) => ({ ...error, row: row.rowNumber })))
        .filter(({ error }) => !error.includes('empty') && error !== 'The cell is missing.')
        .sort((a, b) => a.row - b.row || a.columnPosition.localeCompare(b.columnPosition))
      expect(found.map(({ suggestion }) => suggestion)).toEqual(suggestions)
      const counted = causes.reduce((sum, cause) => sum + cause.suggestions, 0)
      expect(counted).toBe(suggestions.filter((suggestion) => suggestion !== null).length)
      for (const cause of causes.filter((one) => one.suggestions === 0))
        expect(cause.examples.every(({ suggestion }) => suggestion === null)).toBe(true)
      if (maxErrorRows === 0) continue
      // An example says of its own row what the row says.
      for (const { id, examples } of causes)
        expect(examples.map(({ rowNumber, suggestion }) => [rowNumber, suggestion])).toEqual(
          examples.map(({ rowNumber }) => [
            rowNumber,
            verdict.rows
              .find((row) => row.rowNumber === rowNumber)!
              .columnValidationErrors.find(({ cause }) => cause === id)!.suggestion,
          ]),
        )
    }
  })
})
