/** Excel reads CSV as UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF'

type CsvValue = string | number | null

/** Spreadsheets calculate what begins like this (OWASP, CSV injection), also in full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A line of a CSV file (RFC 4180). Text that a spreadsheet would calculate begins with an apostrophe. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`

function csvCell(value: CsvValue): string {
  if (typeof value === 'number') return String(value)
  const text = value === null ? '' : FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n;\t]/.test(text) || text.startsWith("'") ? `"${text.replaceAll('"', '""')}"` : text
}

/** A CSV file of batches of rows, in chunks of text. */
export async function* csvFile<Row>(
  header: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
  lineOf: (row: Row) => readonly CsvValue[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header)
  for await (const rows of batches) yield rows.map((row) => csvLine(lineOf(row))).join('')
}
