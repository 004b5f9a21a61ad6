import type { CauseKind } from '#model/cause.ts'
import type { Field } from '#model/field.ts'
import type { Rule } from '#model/rule.ts'
import { describe, expect, it } from 'vitest'
import { joinedRemedies, type Remedies, remediesOf } from '#messages/cause-sentences/remedies.ts'
import { causeAdvice, type CauseFacts, causeMessage } from './causes.ts'

/** Facts of a cause with these values, each with its suggestion, in 10 of 100 rows. */
const factsOf = (
  kind: CauseKind,
  values: Readonly<Record<string, string | null>>,
  facts: Partial<CauseFacts> = {},
): CauseFacts => ({
  kind,
  detail: '',
  label: 'Column',
  labels: ['Column'],
  field: null,
  expected: 'something else',
  cells: 10,
  rows: 10,
  firstRow: 2,
  recordsCount: 100,
  suggestions: Object.values(values).filter((suggestion) => suggestion !== null).length,
  passed: 0,
  isMisread: false,
  extent: null,
  examples: Object.entries(values).map(([value, suggestion]) => ({
    rowNumber: 2,
    value,
    suggestion,
    count: null,
  })),
  remedies: Object.entries(values).reduce<Remedies | null>(
    (all, [value, suggestion]) =>
      suggestion === null
        ? all
        : joinedRemedies(all, remediesOf({ kind, detail: facts.detail ?? '' }, value, suggestion)),
    null,
  ),
  ...facts,
})

const fieldOf = (rule: Rule): Field => ({
  name: 'Column',
  description: '',
  category: '',
  required: true,
  rule,
})

describe('The message', () => {
  it('says Both of two values', () => {
    const facts = factsOf('misspelt', { Opn: 'Open' }, { cells: 2, recordsCount: 2 })
    expect(causeMessage(facts)).toBe('Both values of "Column" are misspelt.')
  })

  it.for([
    { cells: 1, says: 'a code that Excel turned into a date: the code is lost.' },
    { cells: 10, says: 'codes that Excel turned into dates: the codes are lost.' },
  ])('says of $cells: $says', ({ cells, says }) => {
    expect(causeMessage(factsOf('codeAsDate', { '6-Feb': null }, { cells }))).toContain(says)
  })
})

describe('The advice', () => {
  it.for<{ why: string; facts: CauseFacts; says: string }>([
    {
      why: 'spaces around a value are trimmed',
      facts: factsOf('spaces', { ' Anna  Lang ': 'Anna Lang' }),
      says: 'Put =TRIM(cell) into a free column beside "Column"',
    },
    {
      why: 'TRIM would leave the spaces between the groups of a number',
      facts: factsOf('spaces', { 'DE89 3704 0044': 'DE8937040044', ' DE89370400': 'DE89370400' }),
      says: 'Put =SUBSTITUTE(cell," ","") into',
    },
    {
      why: 'characters that cannot be seen are named by their codes',
      facts: factsOf('spaces', { 'UV\u200b31': 'UV31', '\u00a0A\u200e1': 'A1' }),
      says:
        'Put =TRIM(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(cell,UNICHAR(8203),""),UNICHAR(160)," "),' +
        'UNICHAR(8206),"")) into',
    },
    {
      why: 'nobody can find a text that looks the same as the right one',
      facts: factsOf('misspelt', { '\u041epen': 'Open' }),
      says: 'Use the corrected copy',
    },
    {
      why: 'no dialog finds a text around which there are spaces',
      facts: factsOf('misspelt', { Opn: 'Open', 'Closd ': 'Closed' }),
      says: 'Use the corrected copy',
    },
    {
      why: 'capitals do not make a figure of a letter',
      facts: factsOf('letterCase', { 'AB-l2': 'AB-12' }, { field: fieldOf({ type: 'text' }) }),
      says: 'find AB-l2 and replace it with AB-12',
    },
    {
      why: 'Excel does not read a date with a mark of direction',
      facts: factsOf('dateFormat', { '\u200e5/3/2024': '05/03/2024' }, { detail: 'd/M/yyyy' }),
      says: 'Use the corrected copy',
    },
    {
      why: 'a quote inside a value must stay',
      facts: factsOf('quotes', { '"a"': 'a', "'it's'": "it's" }),
      says: 'choose Match entire cell contents, find "a" and replace it with a, then the other values',
    },
    {
      why: 'more than 15 digits are no number for Excel',
      facts: factsOf('lostZeros', { '1234567890123456': '01234567890123456' }),
      says: 'Use the corrected copy',
    },
    {
      why: 'a number with its minus after it is a text, which no format changes',
      facts: factsOf('negative', { '1.486,41-': '-1486.41' }),
      says: 'choose Trailing minus for negative numbers',
    },
    {
      why: 'another sign than the hyphen makes a text, too',
      facts: factsOf('negative', { '\u22125': '-5' }),
      says: 'find \u2212 and replace it with a hyphen',
    },
    {
      why: 'brackets are a format of numbers',
      facts: factsOf('negative', { '(5.00)': '-5.00' }),
      says: 'the negative form -1234.10',
    },
    {
      why: 'a value is quoted without the spaces around it',
      facts: factsOf('numberForm', { ' .5 ': '0.5' }),
      says: 'Write plain numbers: 0.5 instead of .5.',
    },
    {
      why: 'a number format without decimals would write two of them',
      facts: factsOf('exponent', { '1.5E1': '15' }, { field: fieldOf({ type: 'number', scale: 0 }) }),
      says: 'set Format Cells > Number with 0 decimal places, then save again.',
    },
    {
      why: 'the number of decimals is not said where any is allowed',
      facts: factsOf('currency', { '€ 5': '5' }, { detail: 'EUR', field: fieldOf({ type: 'number' }) }),
      says: 'set Format Cells > Number, then save again. Where the cells are texts, replace € with nothing.',
    },
    {
      why: 'Text to Columns has no order for a month and a year',
      facts: factsOf(
        'dateFormat',
        { '2024-05': '05/2024' },
        { detail: 'yyyy-MM', field: fieldOf({ type: 'date', format: 'MM/yyyy' }) },
      ),
      says: 'choose Data > Text to Columns > Finish. Then set Format Cells > Number > Custom to mm/yyyy.',
    },
    {
      why: 'numbers have the format of a date',
      facts: factsOf('dateCell', { '1900-01-24': null }),
      says: 'set Format Cells > Number with 0 decimal places, then save again',
    },
    {
      why: 'there are several placeholders',
      facts: factsOf('placeholder', { 'N/A': '', '-': '' }),
      says: 'find N/A and replace it with nothing, then the other placeholders in the same way.',
    },
    {
      why: 'the signs between digits are named',
      facts: factsOf('punctuation', { '(555) 123-4567': '5551234567', '5*': '5' }),
      says: 'find ( and replace it with nothing, then ) and a space and - and ~* in the same way.',
    },
    {
      why: 'a point at the end may be right inside other values',
      facts: factsOf('punctuation', { 'E11.': 'E11' }),
      says: 'choose Match entire cell contents, find E11. and replace it with E11, then the other values',
    },
    {
      why: 'a sign is missing in a code',
      facts: factsOf('variant', { AB12: 'AB-12' }, { detail: 'separators' }),
      says: 'Put =LEFT(cell,2)&"-"&MID(cell,3,99) into a free column beside "Column"',
    },
    {
      why: 'another sign stands in a code',
      facts: factsOf('variant', { AB_12: 'AB-12' }, { detail: 'separators' }),
      says: 'Write them in the required form: AB-12 instead of AB_12.',
    },
    {
      why: 'digits have no sign',
      facts: factsOf('variant', { '5551234': '555-1234' }, { detail: 'separators' }),
      says: 'Put =TEXT(cell,"000-0000") into',
    },
    {
      why: 'the letter case that a pattern requires is known',
      facts: factsOf('letterCase', { 'ab-12': 'AB-12' }),
      says: 'Put =UPPER(cell) into a free column beside "Column"',
    },
    {
      why: 'the other one is known as well',
      facts: factsOf('letterCase', { 'AB-12': 'ab-12' }),
      says: 'Put =LOWER(cell) into',
    },
    {
      why: 'where most cells are empty they may be merged',
      facts: factsOf('required', { '': null }, { cells: 90, rows: 90 }),
      says: 'Cells that are merged hold a value in the first row only: split them.',
    },
    {
      why: 'where no value fits, the columns may be swapped below their names',
      facts: factsOf('notInList', { W1: null }, { cells: 100, rows: 100 }),
      says: 'Look first whether "Column" holds the values of another column. Replace them.',
    },
    {
      why: 'the case is chosen before the values',
      facts: factsOf('letterCase', { no: 'No' }, { field: fieldOf({ type: 'list', options: ['No'] }) }),
      says: 'choose Match case and Match entire cell contents, find no and replace it with No',
    },
  ])('is one that helps: $why', ({ facts, says }) => {
    expect(causeAdvice(facts)).toContain(says)
  })

  it('speaks of one cell if it is one', () => {
    expect(causeAdvice(factsOf('patternMismatch', { W1: null }, { cells: 1, rows: 1 }))).toBe(
      'Correct this cell by hand. Expected: something else.',
    )
  })

  it('names no other column where some values fit', () => {
    expect(causeAdvice(factsOf('patternMismatch', { W1: null }))).toBe(
      'Correct these cells by hand. Expected: something else.',
    )
  })
})
