import type { Cause } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'

/**
 * Stories of clerks: a file of 200 rows with one real mistake in many cells. Her first upload names the
 * mistake; with the corrected copy, or with what the advice says, her second one is accepted.
 */

/** Of the accepted file. */
export const rowsOfStories = 200

const field = (name: string, rule: Rule, required = true): Field => ({
  name,
  description: '',
  category: '',
  required,
  rule,
})
export const fieldsOfStories: readonly Field[] = [
  field('Case number', { type: 'pattern', pattern: '\\d{12}' }),
  field('Date of birth', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Postcode', { type: 'pattern', pattern: '\\d{5}' }),
  field('Amount', { type: 'number', scale: 2, minimum: 0, maximum: 100_000 }),
  field('Weight', { type: 'number', scale: 1, minimum: 0, maximum: 500 }, false),
  field('Occupation', { type: 'list', options: ['Professional', 'Clerical', 'Student', 'Retired'] }),
  field('City', { type: 'list', options: ['Zürich', 'Genève', 'Bern', 'Neuchâtel'] }),
  field('Phone', { type: 'pattern', pattern: '\\d{10}' }),
]
const heading = fieldsOfStories.map(({ name }) => name)
const [CASE, BIRTH, POSTCODE, AMOUNT, WEIGHT, OCCUPATION, CITY, PHONE] = fieldsOfStories.keys()

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A valid row. A tenth of the postcodes begins with a zero. */
const validRow = (index: number): string[] => [
  String(100_000_000_000 + index * 7_919),
  `${twoDigits(1 + (index % 28))}/${twoDigits(1 + (index % 12))}/${1950 + (index % 60)}`,
  String((index * 4_507) % 100_000).padStart(5, '0'),
  `${1000 + index * 13}.${twoDigits(index % 100)}`,
  index % 9 === 0 ? '' : `${20 + (index % 80)}.5`,
  ['Professional', 'Clerical', 'Student', 'Retired'][index % 4],
  ['Zürich', 'Genève', 'Bern', 'Neuchâtel'][index % 4],
  String(5_550_100_000 + index * 37),
]
const valid = Array.from({ length: rowsOfStories }, (_, index) => validRow(index))

/** The table with a column changed. */
const changed = (column: number, change: (value: string, row: number) => string): string[][] =>
  valid.map((row, index) => row.with(column, change(row[column], index)))

const csv = (rows: readonly (readonly string[])[], delimiter = ','): string =>
  rows.map((row) => `${row.map((cell) => `"${cell}"`).join(delimiter)}\n`).join('')

const withHeading = (rows: readonly (readonly string[])[]) => csv([heading, ...rows])

export type Story = {
  mistake: string
  file: string
  /** The kinds of its causes, and what the sentences of the first one say. */
  kinds: Cause['kind'][]
  says: RegExp
  /** The file as the advice says; without it, the corrected copy. */
  repaired?: string
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('de-DE', { month: 'long' }).format(new Date(2024, month)),
)
/** UTF-8 that was read as windows-1252. */
const broken = (text: string) =>
  [...text].map((letter) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(letter))).join('')

export const stories: readonly Story[] = [
  {
    mistake: 'dates of birth in words, in German',
    file: withHeading(
      changed(BIRTH, (value) => {
        const [day, month, year] = value.split('/').map(Number)
        return `${day}. ${MONTHS[month - 1]} ${year}`
      }),
    ),
    kinds: ['dateFormat'],
    says: /^All 200 values of "Date of birth" are written d MMMM yyyy\. .* only in its own language\.$/,
  },
  {
    mistake: 'dates of birth in words, with the day of the week',
    file: withHeading(
      changed(BIRTH, (value, row) => {
        const [day, month, year] = value.split('/').map(Number)
        return `${['Mo', 'Dienstag,', 'Mi.'][row % 3]} ${day}. ${MONTHS[month - 1]} ${year}`
      }),
    ),
    kinds: ['dateFormat'],
    says: /^All 200 values of "Date of birth" are written d MMMM yyyy\. .* Date: DMY /,
  },
  {
    mistake: 'cities whose letters another program broke',
    file: withHeading(changed(CITY, broken)),
    kinds: ['brokenLetters'],
    says: /^150 values of "City" have broken letters: .* Other columns .* File Origin to 65001/,
  },
  {
    mistake: 'phone numbers as people write them',
    file: withHeading(changed(PHONE, (value) => value.replace(/^(...)(...)(....)$/, '($1) $2-$3'))),
    kinds: ['punctuation'],
    says: /^All 200 values of "Phone" have hyphens, brackets or other signs that do not belong there\./,
  },
  {
    mistake: 'occupations with their codes in the other system',
    file: withHeading(changed(OCCUPATION, (value, row) => `${1 + (row % 4)} - ${value}`)),
    kinds: ['variant'],
    says: /^All 200 values of "Occupation" .* find 1 - Professional and replace it with Professional, then/,
  },
  {
    mistake: 'amounts with narrow spaces between the thousands',
    file: withHeading(changed(AMOUNT, (value) => value.replace(/^(\d+)(\d{3})\./, '$1\u202f$2.'))),
    kinds: ['thousands'],
    says: /^All 200 values of "Amount" are written with a separator between the thousands\./,
  },
  {
    mistake: 'case numbers in Arabic digits',
    file: withHeading(
      changed(CASE, (value) => value.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))),
    ),
    kinds: ['otherDigits'],
    says: /^All 200 values of "Case number" are written with other digits than 0 to 9\./,
  },
  {
    mistake: 'case numbers and postcodes that went through a table of floats',
    file: withHeading(
      valid.map((row) => row.with(CASE, `${row[CASE]}.0`).with(POSTCODE, `${Number(row[POSTCODE])}.0`)),
    ),
    kinds: ['trailingZeros', 'trailingZeros', 'pad'],
    says: /zeros after the point .* too few digits: Excel drops leading zeros/,
  },
  {
    mistake: 'dates of birth as a program writes moments',
    file: withHeading(changed(BIRTH, (value) => `${value.split('/').toReversed().join('-')}T00:00:00.000Z`)),
    kinds: ['timeOfDay'],
    says: /^All 200 values of "Date of birth" have a time of day after the date\./,
  },
  {
    mistake: 'dates as her database writes them',
    file: withHeading(changed(BIRTH, (value) => value.split('/').toReversed().join('-'))),
    kinds: ['dateFormat'],
    says: /^All 200 values of "Date of birth" are written yyyy-MM-dd\./,
  },
  {
    mistake: 'day and month swapped by American settings',
    file: withHeading(changed(BIRTH, (value) => value.replace(/^(..)\/(..)/, '$2/$1'))),
    kinds: ['dateOrder'],
    says: /day and month swapped\. \d+ other values of "Date of birth" pass with a wrong meaning/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'German numbers and semicolons',
    file: csv(
      [heading, ...changed(AMOUNT, (value) => value.replace(/^(\d+)(\d{3})\.(..)$/, '$1.$2,$3'))],
      ';',
    ),
    kinds: ['decimalComma'],
    says: /^All 200 values of "Amount" are written with a decimal comma instead of a point\. .*to Columns/,
  },
  {
    mistake: 'amounts with the currency',
    file: withHeading(changed(AMOUNT, (value) => `€ ${value}`)),
    kinds: ['currency'],
    says: /the currency EUR/,
  },
  {
    mistake: 'weights with the unit',
    file: withHeading(changed(WEIGHT, (value) => (value === '' ? '' : `${value} kg`))),
    kinds: ['unit'],
    says: /the unit "kg"/,
  },
  {
    mistake: 'a placeholder for what is not known',
    file: withHeading(changed(WEIGHT, (value) => value || 'N/A')),
    kinds: ['placeholder'],
    says: /placeholders such as "N\/A"\. An empty cell means the same here/,
  },
  {
    mistake: 'postcodes that Excel took for numbers',
    file: withHeading(changed(POSTCODE, (value) => String(Number(value)))),
    kinds: ['pad'],
    says: /too few digits: Excel drops leading zeros/,
  },
  {
    mistake: 'a list typed from memory',
    file: withHeading(
      changed(OCCUPATION, (value, row) =>
        row % 3 === 0 ? value.toLowerCase() : value.replace('ss', 's').replace('ica', 'ca'),
      ),
    ),
    kinds: ['letterCase', 'misspelt'],
    says: /misspelt/,
  },
  {
    mistake: 'case numbers that Excel shortened',
    file: withHeading(changed(CASE, (value) => `${value[0]}.${value.slice(1, 6)}E+11`)),
    kinds: ['shortenedNumber'],
    says: /shortened by Excel, such as .*: digits are lost\. Export the file again/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'an export without the heading row',
    file: csv(valid),
    kinds: [],
    says: /first row looks like data/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'a title above the heading row',
    file: csv([['Claims of May'], ['Northwind'], heading, ...valid]),
    kinds: [],
    says: /Row 3 has the right column names: delete the rows above it\./,
    repaired: withHeading(valid),
  },
  {
    mistake: 'a cell that was inserted in the middle of the file',
    file: withHeading(
      valid.map((row, index) => (index < 120 ? row : [...row.slice(0, 1), '', ...row.slice(1)])),
    ),
    kinds: ['shiftedRows'],
    says: /The cells of 80 rows .* right, from row 122 on\. .*comma .* split, join the two/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'the contents of two columns swapped',
    file: withHeading(valid.map((row) => row.with(BIRTH, row[OCCUPATION]).with(OCCUPATION, row[BIRTH]))),
    kinds: ['swappedColumns'],
    says: /^The columns "Date of birth" and "Occupation" hold each other's values, .* 200 .* hold Shift/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'a total below the rows',
    file: withHeading([...valid, ['Total', '', '', '998900.00', '', '', '', '']]),
    kinds: ['totalsRow'],
    says: /^Row 202 is no record but a total\. .*Delete Sheet Rows/,
    repaired: withHeading(valid),
  },
  {
    mistake: 'files joined with their heading rows',
    file: withHeading(
      valid.flatMap((row, index) => (index === 80 || index === 160 ? [heading, row] : [row])),
    ),
    kinds: ['secondHeading'],
    says: /^2 rows below the first repeat the column names, the first in row 82\./,
    repaired: withHeading(valid),
  },
  {
    mistake: 'dates of birth as Excel counts days',
    file: withHeading(
      changed(BIRTH, (value, row) => {
        const [day, month] = value.split('/').map(Number)
        return String(Date.UTC(1931 + (row % 60), month - 1, day) / 86_400_000 + 25_569)
      }),
    ),
    kinds: ['excelSerial'],
    says: /^All 200 values of "Date of birth" are numbers with which Excel counts days/,
  },
]
