import { columnLetter } from '@veridict/contract/notation/column-letter'
import { strToU8, zipSync } from 'fflate'
import dictionary from '../samples/dictionaries/medical-claims.json' with { type: 'json' }

/** A small table of claims: a header and rows of text. */
export type Table = readonly (readonly string[])[]

/** The table as CSV; cells are quoted only if necessary. */
export function asCsv(table: Table): Uint8Array {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return strToU8(table.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n')
}

/**
 * The table as a workbook of text cells; not written by the engine, so that a bug in its writer is noticed.
 */
export function asWorkbook(table: Table): Uint8Array {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const cell = (text: string, row: number, column: number) =>
    text === ''
      ? ''
      : `<c r="${columnLetter(column)}${row + 1}" t="inlineStr">` +
        `<is><t xml:space="preserve">${escape(text)}</t></is></c>`
  const rows = table.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => cell(text, row, column)).join('')}</row>`,
  )
  return zipSync({
    '[Content_Types].xml': part(
      `<Types xmlns="${PACKAGE}/content-types">` +
        `<Default Extension="rels" ContentType="${FORMAT}-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${SHEETS}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEETS}.worksheet+xml"/></Types>`,
    ),
    '_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': part(
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
        `<sheet name="Claims" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': part(
      `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    ),
  })
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const FORMAT = 'application/vnd.openxmlformats'
const SHEETS = `${FORMAT}-officedocument.spreadsheetml`
const relationship = (type: string, target: string) =>
  part(
    `<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`,
  )
const part = (xml: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`)

const header = dictionary.fields.map(({ itemName }) => itemName)

/** A row that fits the demo dictionary "Medical claims". */
export const goodRow = (number: number): string[] => [
  `CLM-${String(number).padStart(8, '0')}`,
  'Professional',
  'M0012345',
  'Müller, Zoë',
  '29/02/1984',
  '1234567893',
  'Office',
  '03/10/2026',
  '',
  'E11.9',
  '99213',
  '1',
  '125.50',
  '100.00',
  'New',
  '',
]

/** Twelve good rows under the header of "Medical claims". */
export const goodClaims: Table = [header, ...Array.from({ length: 12 }, (_, index) => goodRow(index + 1))]

/** The cells in which `badClaims` differs. Row 7 has more errors than the screen shows at once. */
export const badCells: readonly { row: number; column: string; value: string }[] = [
  { row: 3, column: 'E', value: '31/02/1984' },
  { row: 3, column: 'M', value: '13,75' },
  { row: 7, column: 'A', value: 'CLM-7' },
  { row: 7, column: 'B', value: 'Profesional' },
  { row: 7, column: 'D', value: '' },
  { row: 7, column: 'L', value: '1.5' },
  { row: 7, column: 'M', value: '=1+1' },
  { row: 7, column: 'O', value: 'new' },
  { row: 7, column: 'P', value: 'x'.repeat(201) },
  { row: 13, column: 'F', value: '0123456789' },
]

export const badClaims: Table = badCells.reduce<string[][]>(
  (table, { row, column, value }) => {
    table[row - 1]![column.charCodeAt(0) - 65] = value
    return table
  },
  goodClaims.map((row) => [...row]),
)
