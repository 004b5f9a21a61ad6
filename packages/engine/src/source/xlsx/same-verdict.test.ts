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
