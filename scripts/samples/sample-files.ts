import { type Claim, cleanClaims, dayColumns, faultyClaims, header, numberColumns } from './claims.ts'
import { type Cell, workbook } from './workbook.ts'

const ROWS = 24

/** The sample files by name, always with the same bytes. */
export function sampleFiles(): Record<string, Buffer> {
  const tables = { 'claims-clean': cleanClaims(ROWS), 'claims-with-errors': faultyClaims(ROWS) }
  return Object.fromEntries(
    Object.entries(tables).flatMap(([name, claims]) => [
      [`${name}.csv`, Buffer.from(csv([header, ...claims]))],
      [`${name}.xlsx`, workbook('Claims', [header.map((text) => ({ text })), ...claims.map(cells)])],
    ]),
  )
}

function csv(rows: readonly Claim[]): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  // Without a byte order mark Excel shows "MÃ¼ller" instead of "Müller".
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

/** The cells that a spreadsheet would store: days and numbers in their columns, all else as text. */
function cells(claim: Claim): Cell[] {
  return claim.map((text, column) => {
    if (text === '') return null
    const day = dayColumns.includes(column) ? serialDay(text) : null
    if (day !== null) return { day }
    return numberColumns.includes(column) && /^-?\d+(\.\d+)?$/.test(text)
      ? { number: String(Number(text)) }
      : { text }
  })
}

/** dd/MM/yyyy → days since 30 December 1899, or null if it is not a day. */
export function serialDay(text: string): number | null {
  if (!/^\d\d\/\d\d\/\d{4}$/.test(text)) return null
  const [day, month, year] = text.split('/').map(Number)
  const time = Date.UTC(year, month - 1, day)
  const isReal = new Date(time).getUTCDate() === day && month <= 12
  return isReal ? time / 86_400_000 + 25_569 : null
}
