/** Without it Excel does not read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

type CsvValue = string | number | null

/**
 * Where spreadsheets begin a formula (OWASP, CSV injection; also with full-width signs): at the start, and
 * after each separator, as those of many countries split at semicolons or tabs and do not see our quotes.
 */
const FORMULA = /(?:^|[,;\t\r\n])[\s"]*(?=[=+\-@＝＋－＠])/g

/** An apostrophe would make a text of a number. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/

/** Puts an apostrophe before everything in a text that a spreadsheet would treat as a formula. */
function neutralize(text: string): string {
  if (NUMBER.test(text)) return text
  const plain = text.replaceAll(FORMULA, "$&'")
  return /^[\t\r\n]/.test(plain) ? `'${plain}` : plain
}

/** A line of a CSV file (RFC 4180) without formulas. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`

function csvCell(value: CsvValue): string {
  if (typeof value === 'number') return String(value)
  const text = neutralize(value ?? '')
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
