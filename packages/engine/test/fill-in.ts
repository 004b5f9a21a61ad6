import { buildZip } from './build-zip.ts'
import { readZip } from './read-zip.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const SECONDS_PER_DAY = 86400

/**
 * Fills in a template as a spreadsheet program does when a person types rows below the headings. In a text
 * column a value stays as typed; elsewhere a text that looks like a number or a day becomes one. Uses only
 * what any reader of workbooks knows, nothing of our writer.
 */
export function fillIn(template: Uint8Array, rows: readonly (readonly string[])[]): Uint8Array {
  const parts = readZip(template)
  const sheet = parts.get(SHEET)!
  const formats = columnFormats(sheet, parts.get('xl/styles.xml')!)
  const typed = rows.map((texts, index) => rowOf(index + 2, texts, formats)).join('')
  parts.set(
    SHEET,
    sheet.replace('</sheetData>', () => `${typed}</sheetData>`),
  )
  return buildZip([...parts])
}

export type ColumnFormat = { style: string; code: string }

/** The cell format of each column, and the code of its number format. */
export function columnFormats(sheet: string, styles: string): ColumnFormat[] {
  const own = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  )
  const xfs = [...styles.split('<cellXfs')[1].matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => id)
  return [...sheet.matchAll(/<col min="\d+" max="\d+" width="[^"]*" style="(\d+)"/g)].map(([, style]) => {
    const id = xfs[Number(style)]
    return { style, code: own.get(id) ?? { '0': 'General', '49': '@' }[id] ?? `built in: ${id}` }
  })
}

function rowOf(number: number, texts: readonly string[], formats: readonly ColumnFormat[]): string {
  const cells = texts.map((text, column) => (text === '' ? '' : cellOf(text, formats[column])))
  const tags = cells.map((cell, column) => cell.replace('<c ', `<c r="${letters(column)}${number}" `))
  return `<row r="${number}">${tags.join('')}</row>`
}

function cellOf(text: string, { style, code }: ColumnFormat): string {
  const value = code === '@' ? null : (numberIn(text) ?? dayIn(text))
  if (value !== null) return `<c s="${style}"><v>${value}</v></c>`
  return `<c s="${style}" t="str"><v xml:space="preserve">${escaped(text)}</v></c>`
}

const numberIn = (text: string): number | null => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : null)

/** The serial number of a day in the order year, month, day, which is read the same in every country. */
function dayIn(text: string): number | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)$/.exec(text) ?? []
  const seconds = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000
  const isDay = new Date(seconds * 1000).getUTCMonth() === Number(month) - 1
  return isDay && Number(year) > 1900 ? seconds / SECONDS_PER_DAY + 25569 : null
}

const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')

const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)
