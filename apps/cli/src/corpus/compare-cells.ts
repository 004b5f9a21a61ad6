/**
 * Where a table differs from the true one, in words; null where it does not. Line breaks may be spelled
 * differently, blank rows and blank cells at the ends of rows do not count. `display`: the truth is what a
 * spreadsheet shows, so that an equal number or date is as good as its text.
 */
export function compareCells(
  found: readonly (readonly string[])[],
  truth: readonly (readonly string[])[],
  display: boolean,
): string | null {
  // Excel's own CSV begins at the first column in use.
  const rows = display ? withoutBlankFront(tidied(found)) : tidied(found)
  const expected = tidied(truth)
  if (rows.length !== expected.length) return `${rows.length} rows instead of ${expected.length}`
  for (const [row, cells] of expected.entries()) {
    for (let column = 0; column < Math.max(cells.length, rows[row].length); column++) {
      const [value = '', wanted = ''] = [rows[row][column], cells[column]]
      if (value !== wanted && !(display && isSameShown(value, wanted))) {
        return `row ${row + 1}, column ${column + 1} is ${JSON.stringify(value)} instead of ${JSON.stringify(wanted)}`
      }
    }
  }
  return null
}

function tidied(rows: readonly (readonly string[])[]): string[][] {
  const texts = rows.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n')))
  return texts.map(withoutBlankEnd).filter((cells) => cells.length > 0)
}

function withoutBlankFront(rows: string[][]): string[][] {
  const blank = Math.min(...rows.map((cells) => cells.findIndex((cell) => cell.trim() !== '')))
  return rows.map((cells) => cells.slice(blank))
}

const withoutBlankEnd = (cells: string[]) =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)

function isSameShown(value: string, shown: string): boolean {
  if (value.trim() === shown.trim()) return true
  return isSameNumber(value, shown) || isSameDay(value, shown)
}

/** A spreadsheet shows rounded numbers, with currency, grouping, per cent, or an exponent. */
function isSameNumber(value: string, shown: string): boolean {
  const plain = shown.replace(/[\s$€£,_]/g, '').replace(/^\((.*)\)$/, '-$1')
  const scale = plain.endsWith('%') ? 100 : 1
  const wanted = Number(plain.replace('%', ''))
  if (value.trim() === '' || plain === '' || Number.isNaN(wanted)) return false
  const decimals = /\.(\d+)/.exec(plain)?.[1].length ?? 0
  const exponent = Number(/e([+-]?\d+)$/i.exec(plain)?.[1] ?? 0)
  return Math.abs(Number(value) * scale - wanted) <= 0.5000001 * 10 ** (exponent - decimals)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The same day written month first, day first or year first. */
function isSameDay(value: string, shown: string): boolean {
  const day = /^(\d{4})-(\d\d)-(\d\d)/.exec(value)?.slice(1).map(Number)
  const parts = shown.match(/\d+/g)?.map(Number)
  if (day === undefined || parts === undefined) return false
  const [year, month, date] = day
  const holds = (wanted: number) =>
    parts.some((part) => part === wanted || (part < 100 && part === wanted % 100))
  return holds(year) && holds(date) && (holds(month) || shown.toLowerCase().includes(MONTHS[month - 1]))
}
