/** Without it Excel does not read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

type CsvValue = string | number | null

/**
 * Spreadsheets treat text with such a beginning as a formula (OWASP, CSV injection), also full-width
 * characters.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A line of a CSV file (RFC 4180). Text that a spreadsheet would treat as a formula gets an apostrophe in
 * front.
 */
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
