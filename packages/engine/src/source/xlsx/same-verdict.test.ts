import { emptyRuleBook, keyRule } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../../test/build-workbook.ts'
import { fieldOf, fieldsOfAllTypes } from '../../../test/fields-of-all-types.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'
import { runs } from '../../../test/runs.ts'

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Open',
    'closed',
    '12',
    '12.5',
    '12,5',
    '499.999',
    'AB-12',
    '31/12/2024',
    '29/02/2023',
    '1/2/2024',
    '31/12/2024 10:00',
    '\u00a0x\u00a0',
  ),
  fc.constantFrom('_x0041_', 'a&b', '<x>', '"q"', 'line\nbreak', 'é中👍', '=1+1', '007'),
  // A CSV file that holds one of these is refused.
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\0\ufffd]/.test(text)),
)
const table = fc.array(fc.array(cell, { minLength: 5, maxLength: 6 }), { maxLength: 8 })

const csvOf = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\r\n')

function workbookOf(rows: readonly (readonly string[])[]): Uint8Array {
  const escaped = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  const cellOf = (text: string, column: number, row: number) =>
    `<c r="${columnLetter(column)}${row + 1}" t="inlineStr"><is>` +
    `<t xml:space="preserve">${escaped(text)}</t></is></c>`
  const tags = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => cellOf(text, column, row)).join('')}</row>`,
  )
  return buildWorkbook({ rows: tags.join('') })
}

it('The same rows as a CSV file and as a workbook have the same verdict', async () => {
  const validate = (bytes: Uint8Array, fileName: string) =>
    validateTable({
      source: bytesSource(bytes),
      fileName,
      fields: fieldsOfAllTypes,
      platform: testPlatform(),
      limits: portalGuards,
    })
  await fc.assert(
    fc.asyncProperty(table, async (records) => {
      const rows = [fieldsOfAllTypes.map(({ name }) => name), ...records]
      expect(await validate(workbookOf(rows), 'a.xlsx')).toEqual(
        await validate(new Uint8Array(Buffer.from(csvOf(rows))), 'a.csv'),
      )
    }),
    { numRuns: runs(15) },
  )
})

const classed = [
  fieldOf('Amount', { type: 'number', scale: 2, minimum: -10, maximum: 100 }, true),
  fieldOf('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
  fieldOf('Claim', { type: 'pattern', pattern: '^CLM-[0-9]{3}$' }, true),
]
const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`))
const day = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(2, 4, 13), fc.constantFrom('/', '.'))
const badValue = fc.oneof(
  digits(3, 5),
  digits(1, 2).map((number) => `-${number}`),
  fc.tuple(digits(1, 2), digits(1, 4)).map((parts) => parts.join('.')),
  day.map(([day, month, separator]) => [day, month, 2024].join(separator)),
  digits(1, 5).map((number) => `CLM-${number}`),
  fc.constantFrom('"99999', 'CLM-1&amp;', 'CLM-12_x0041_', '1.230', '0099999', '<![CDATA[a]]>', 'CLM-99 '),
)
const writing = fc.constantFrom<(value: string) => string>(
  (value) => `><v>${value}</v></c>`,
  (value) => ` t="str"><v>${value}</v></c>`,
  (value) => ` t="inlineStr"><is><t>${value}</t></is></c>`,
)

it('Bad cells of one class have the verdict of the same cells read by tokens', async () => {
  const verdictOf = (cells: readonly (string | null)[][], behindRow: string, strings: string) => {
    const rows = cells.map((row, index) => {
      const number = index + 2
      const tags = row.map((tag, column) => tag && `<c r="${columnLetter(column)}${number}"${tag}`)
      return `<row r="${number}">${tags.join('')}${behindRow}</row>`
    })
    const names = classed.map(
      ({ name }, column) => `<c r="${columnLetter(column)}1" t="str"><v>${name}</v></c>`,
    )
    return validateTable({
      source: bytesSource(
        buildWorkbook({ rows: `<row r="1">${names.join('')}</row>${rows.join('')}`, strings }),
      ),
      fileName: 'a.xlsx',
      fields: classed,
      platform: testPlatform(),
    })
  }
  const string = (value: string, index: number) => ({
    item: `<si><t>${value}</t></si>`,
    tag: ` t="s"><v>${index}</v></c>`,
  })
  // A third of the cells are absent, so some rows have one cell alone.
  const isThere = fc.nat({ max: 2 }).map((number) => number > 0)
  const values = fc.array(fc.tuple(badValue, fc.option(writing), isThere), { minLength: 90, maxLength: 240 })
  await fc.assert(
    fc.asyncProperty(values, async (written) => {
      const strings = written.map(([value], index) => string(value, index))
      const tags = written.map(([value, write, isThere], index) =>
        isThere ? (write?.(value) ?? strings[index].tag) : null,
      )
      const rows = Array.from({ length: tags.length / 3 }, (_, row) => tags.slice(row * 3, row * 3 + 3))
      const items = strings.map(({ item }) => item).join('')
      // The scanner leaves a row with a comment to the tokens.
      expect(await verdictOf(rows, '', items)).toEqual(await verdictOf(rows, '<!-- -->', items))
    }),
    { numRuns: runs(30) },
  )
})

it('A workbook with other bytes in front is still a workbook', async () => {
  const rows =
    '<row r="1"><c r="A1" t="str"><v>Name</v></c></row><row r="2"><c r="A2" t="str"><v>x</v></c></row>'
  const bytes = buildWorkbook({ rows, zip: { junkInFront: 1024 } })
  const fields = [fieldOf('Name', { type: 'text' }, true)]
  const verdict = await validateTable({
    source: bytesSource(bytes),
    fileName: 'a.xlsx',
    fields,
    platform: testPlatform(),
    limits: portalGuards,
  })
  expect(verdict).toEqual({ kind: 'passed', recordsCount: 1 })
})

it.for([
  { cell: '><v>+99.000</v>', shown: '99' },
  { cell: ' t="str"><v>+99.000</v>', shown: '+99.000' },
])('Rules show the value of a number, and a text as it is written: $cell', async ({ cell, shown }) => {
  const row = (number: number) => `<row r="${number}"><c r="B${number}"${cell}</c></row>`
  const header = '<c r="A1" t="str"><v>Text</v></c><c r="B1" t="str"><v>Number</v></c>'
  const rows = `<row r="1">${header}</row>${[2, 3, 4].map(row).join('')}`
  const verdict = await validateTable({
    source: bytesSource(buildWorkbook({ rows })),
    fileName: 'a.xlsx',
    fields: [fieldOf('Text', { type: 'text' }, false), fieldOf('Number', { type: 'number' }, false)],
    ruleBook: {
      ...emptyRuleBook,
      day: '2026-11-26',
      rules: [
        {
          name: 'Texts of numbers',
          severity: 'error',
          when: { all: [{ column: 'Number', is: 'filled' }] },
          then: [{ column: 'Text', is: 'filled' }],
        },
      ],
    },
    platform: testPlatform(),
  })
  const errors = verdict.kind === 'rowErrors' ? verdict.rows : []
  expect(errors.map(({ columnValidationErrors: [{ error }] }) => error)).toEqual(
    Array(3).fill(`"Number" is "${shown}", so "Text" must be filled.`),
  )
})

it('A browser without `transfer` of memory gives the same verdict', async () => {
  const { transfer } = ArrayBuffer.prototype
  const validate = () =>
    validateTable({
      source: bytesSource(
        buildWorkbook({
          strings: `<si><t>Text</t></si><si><t>${'x'.repeat(900)}</t></si>`,
          rows: [1, 2, 3, 4]
            .map((row) => `<row r="${row}"><c r="A${row}" t="s"><v>${row === 1 ? 0 : 1}</v></c></row>`)
            .join(''),
        }),
      ),
      fileName: 'a.xlsx',
      fields: [fieldOf('Text', { type: 'text' }, true)],
      ruleBook: { ...emptyRuleBook, rules: [keyRule('Key', ['Text'])], day: '2026-11-26' },
      platform: testPlatform(),
    })
  const expected = await validate()
  Reflect.deleteProperty(ArrayBuffer.prototype, 'transfer')
  try {
    expect(await validate()).toEqual(expected)
  } finally {
    Object.defineProperty(ArrayBuffer.prototype, 'transfer', { value: transfer, configurable: true })
  }
})
