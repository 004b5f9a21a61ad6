import { columnLetter } from '@veridict/contract/notation/column-letter'
import { zipSync } from 'fflate'
import { statSync, writeFileSync } from 'node:fs'
import type { Column } from './columns.ts'
import type { RowMaker } from './rows.ts'
import { serialDay } from '../../scripts/samples/sample-files.ts'
import { DAY_STYLE, partsBesideSheet } from '../../scripts/samples/workbook.ts'

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const CHUNK_CHARACTERS = 1 << 20
const EXCEL_LEVEL = 6
/** A fixed day, so that equal parts make equal files. fflate takes it in local time. */
const FIRST_DAY = new Date(1980, 0, 1)

/**
 * Writes `count` rows as Excel does: numbers and dates as typed cells, all else in shared strings, blank
 * cells left out. Numbers and dates that are none stay strings.
 */
export function writeWorkbook(path: string, columns: readonly Column[], rows: RowMaker, count: number): void {
  const strings = new SharedStrings()
  const sheet = new XmlChunks()
  sheet.add(sheetOpening(columns.length, count + 1))
  sheet.add(
    rowXml(
      1,
      columns.map(({ name }) => name),
      columns.map(() => null),
      strings,
    ),
  )
  for (let index = 0; index < count; index++) sheet.add(rowXml(index + 2, rows.next(), columns, strings))
  sheet.add('</sheetData></worksheet>')
  const parts = {
    ...partsBesideSheet('Claims', true),
    'xl/sharedStrings.xml': strings.part(),
    'xl/worksheets/sheet1.xml': sheet.bytes(),
  }
  writeFileSync(path, zipSync(parts, { level: EXCEL_LEVEL, mtime: FIRST_DAY }))
  rows.truth.bytes = statSync(path).size
}

function sheetOpening(columns: number, rows: number): string {
  const dimension = `<dimension ref="A1:${columnLetter(columns - 1)}${rows}"/>`
  const views =
    '<sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>'
  return `${XML}<worksheet xmlns="${SPREADSHEET}">${dimension}${views}<sheetData>`
}

function rowXml(
  rowNumber: number,
  cells: readonly string[],
  columns: readonly (Column | null)[],
  strings: SharedStrings,
): string {
  let xml = `<row r="${rowNumber}" spans="1:${cells.length}">`
  for (const [index, text] of cells.entries()) {
    if (text !== '') xml += cellXml(`${columnLetter(index)}${rowNumber}`, text, columns[index], strings)
  }
  return `${xml}</row>`
}

function cellXml(reference: string, text: string, column: Column | null, strings: SharedStrings): string {
  if (column?.rule.type === 'number' && /^-?\d+(\.\d+)?$/.test(text))
    return `<c r="${reference}"><v>${Number(text)}</v></c>`
  const serial = column?.rule.type === 'date' ? serialDay(text) : null
  if (serial !== null) return `<c r="${reference}" s="${DAY_STYLE}"><v>${serial}</v></c>`
  return `<c r="${reference}" t="s"><v>${strings.indexOf(text)}</v></c>`
}

/** Each text once, in the order of first use. */
class SharedStrings {
  readonly #indices = new Map<string, number>()
  #uses = 0

  indexOf(text: string): number {
    this.#uses++
    const known = this.#indices.get(text)
    if (known !== undefined) return known
    this.#indices.set(text, this.#indices.size)
    return this.#indices.size - 1
  }

  part(): Buffer {
    const xml = new XmlChunks()
    xml.add(`${XML}<sst xmlns="${SPREADSHEET}" count="${this.#uses}" uniqueCount="${this.#indices.size}">`)
    for (const text of this.#indices.keys())
      xml.add(`<si><t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text)}</t></si>`)
    xml.add('</sst>')
    return xml.bytes()
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Text turned into bytes piece by piece: one string of the whole sheet would be slow to build. */
class XmlChunks {
  readonly #chunks: Buffer[] = []
  #pending = ''

  add(xml: string): void {
    this.#pending += xml
    if (this.#pending.length > CHUNK_CHARACTERS) this.#flush()
  }

  bytes(): Buffer {
    this.#flush()
    return Buffer.concat(this.#chunks)
  }

  #flush(): void {
    this.#chunks.push(Buffer.from(this.#pending))
    this.#pending = ''
  }
}
