/**
 * The first difference between a table and the expected table, in words; null if there is none. Any line
 * break equals any other; blank rows and blank cells at the end of a row are ignored. `display`: the truth is
 * what a spreadsheet shows, so numbers and dates are compared by value.
 */
export function compareCells(
  found: readonly (readonly string[])[],
  truth: readonly (readonly string[])[],
  display: boolean,
): string | null {
  // Excel writes a CSV file from the first used column on.
  const rows = display ? withoutLeadingBlanks(normalized(found)) : normalized(found)
  const expected = normalized(truth)
  if (rows.length !== expected.length) return `${rows.length} rows instead of ${expected.length}`
  for (const [row, cells] of expected.entries()) {
    for (let column = 0; column < Math.max(cells.length, rows[row].length); column++) {
      const [value = '', trueValue = ''] = [rows[row][column], cells[column]]
      if (value !== trueValue && !(display && isShownAs(value, trueValue))) {
        const cell = `row ${row + 1}, column ${column + 1}`
        return `${cell} is ${JSON.stringify(value)} instead of ${JSON.stringify(trueValue)}`
      }
    }
  }
  return null
}

function normalized(rows: readonly (readonly string[])[]): string[][] {
  const texts = rows.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n')))
  return texts.map(withoutTrailingBlanks).filter((cells) => cells.length > 0)
}

function withoutLeadingBlanks(rows: string[][]): string[][] {
  const blank = Math.min(...rows.map((cells) => cells.findIndex((cell) => cell.trim() !== '')))
  return rows.map((cells) => cells.slice(blank))
}

const withoutTrailingBlanks = (cells: string[]) =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

function isShownAs(value: string, shown: string): boolean {
  if (value.trim() === shown.trim()) return true
  return isSameNumber(value, shown) || isSameDay(value, shown)
}

/** A spreadsheet shows rounded numbers, with currency, grouping, per cent, or an exponent. */
function isSameNumber(value: string, shown: string): boolean {
  const plain = shown.replace(/[\s$€£,_]/g, '').replace(/^\((.*)\)$/, '-$1')
  const scale = plain.endsWith('%') ? 100 : 1
  const shownNumber = Number(plain.replace('%', ''))
  if (value.trim() === '' || plain === '' || Number.isNaN(shownNumber)) return false
  const decimals = /\.(\d+)/.exec(plain)?.[1].length ?? 0
  const exponent = Number(/e([+-]?\d+)$/i.exec(plain)?.[1] ?? 0)
  return Math.abs(Number(value) * scale - shownNumber) <= 0.5000001 * 10 ** (exponent - decimals)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Whether it is the same day, written month first, day first or year first. */
function isSameDay(value: string, shown: string): boolean {
  const day = /^(\d{4})-(\d\d)-(\d\d)/.exec(value)?.slice(1).map(Number)
  const parts = shown.match(/\d+/g)?.map(Number)
  if (day === undefined || parts === undefined) return false
  const [year, month, date] = day
  const hasPart = (number: number) =>
    parts.some((part) => part === number || (part < 100 && part === number % 100))
  return hasPart(year) && hasPart(date) && (hasPart(month) || shown.toLowerCase().includes(MONTHS[month - 1]))
}
