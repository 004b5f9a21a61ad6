import { cellErrorKinds } from '@veridict/contract/messages/cells'
import { errorFileSheets, errorsHeadings, summaryHeadings } from '@veridict/contract/messages/error-files'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import type { Platform } from '#platform.ts'
import { openTable } from '#source/open-table.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { FaultFeed, type FaultyRow, type FaultyRows } from '#output/fault-feed.ts'
import {
  areaOf,
  CellStyle,
  contentTypes,
  MAX_SHEET_ROWS,
  packageRelationships,
  sheetEnd,
  sheetStart,
  type SheetPlan,
  stylesPart,
  workbookPart,
  workbookRelationships,
} from '#formats/spreadsheet/workbook-parts.ts'
import { writeZip, type ZipPart } from '#formats/zip/write-zip.ts'
import { encodeXml, sheetRow, xmlPart } from '#formats/xml/write-xml.ts'

/** Of the columns, in characters. */
const ERROR_WIDTHS = [9, 7, 28, 52, 32, 60]
const SUMMARY_WIDTHS = [7, 28, 52, 12]

/**
 * The Errors workbook: a sheet with one row per bad cell, which goes on on further sheets where Excel's bound
 * is reached, and a sheet that counts them by column and kind. Judges the file again while it writes, in
 * bounded memory; the same file and fields give the same bytes. Throws `FileProblemError` for a file that cannot
 * be read.
 */
export async function* writeErrorsFile(request: ErrorFileRequest): AsyncGenerator<Uint8Array> {
  const feed = new FaultFeed({ keepsValues: true })
  try {
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    const columns = await compileColumns(
      request.fields,
      table.terminators,
      request.platform,
      table.firstColumn,
    )
    feed.start(() => table.judge(columns, feed))
    yield* writeZip(parts(feed, columns, request.platform), request.platform)
  } finally {
    feed.abandon()
  }
}

async function* parts(
  rows: FaultyRows,
  columns: readonly ColumnCheck[],
  platform: Platform,
): AsyncGenerator<ZipPart> {
  const part = (name: string, text: string): ZipPart => ({ name, content: xmlPart(text, platform) })
  const counts = new ErrorCounts(columns)
  const sheets: SheetPlan[] = [
    { name: errorFileSheets.errors, notes: false },
    { name: errorFileSheets.summary, notes: false },
  ]
  yield part('_rels/.rels', packageRelationships)
  yield part('xl/styles.xml', stylesPart)
  yield { name: 'xl/worksheets/sheet1.xml', content: encodeXml(errorsSheet(rows, counts), platform) }
  for (let number = 3; (await rows.peek()) !== null; number++) {
    sheets.push({ name: errorFileSheets.furtherErrors(number - 1), notes: false })
    yield {
      name: `xl/worksheets/sheet${number}.xml`,
      content: encodeXml(errorsSheet(rows, counts), platform),
    }
  }
  yield part('xl/worksheets/sheet2.xml', summarySheet(counts))
  yield part('xl/workbook.xml', workbookPart(sheets))
  yield part('xl/_rels/workbook.xml.rels', workbookRelationships(sheets))
  yield part('[Content_Types].xml', contentTypes(sheets))
}

/** One sheet of errors, as far as it holds whole rows of the file. */
async function* errorsSheet(rows: FaultyRows, counts: ErrorCounts): AsyncGenerator<string> {
  yield sheetStart(ERROR_WIDTHS) + sheetRow(1, CellStyle.Heading, errorsHeadings)
  let written = 1
  for (let row = await rows.peek(); row !== null; row = await rows.peek()) {
    if (written + row.faults.length > MAX_SHEET_ROWS) break
    yield* errorRows(row, written, counts)
    written += row.faults.length
    rows.take()
  }
  yield sheetEnd({ area: areaOf(errorsHeadings.length, written), filter: true })
}

function* errorRows(
  { rowNumber, faults }: FaultyRow,
  written: number,
  counts: ErrorCounts,
): Generator<string> {
  for (const [index, { column, fault, value }] of faults.entries()) {
    counts.add(column, fault.code)
    const texts = [
      String(rowNumber),
      columnLetter(column),
      counts.label(column),
      fault.error,
      value,
      fault.expected,
    ]
    yield sheetRow(written + index + 1, CellStyle.Text, texts)
  }
}

function summarySheet(counts: ErrorCounts): string {
  const lines = counts.lines()
  const rows = lines.map((line, index) => sheetRow(index + 2, CellStyle.Text, line))
  const area = areaOf(summaryHeadings.length, lines.length + 1)
  return (
    sheetStart(SUMMARY_WIDTHS) +
    sheetRow(1, CellStyle.Heading, summaryHeadings) +
    rows.join('') +
    sheetEnd({ area, filter: true })
  )
}

/** Bad cells by column and kind. Cells beyond the header count as one column. */
class ErrorCounts {
  private readonly columns: readonly ColumnCheck[]
  private readonly counts = new Map<string, { column: number; code: CellFaultCode; count: number }>()

  constructor(columns: readonly ColumnCheck[]) {
    this.columns = columns
  }

  label(column: number): string {
    return this.columns[column]?.field?.name ?? ''
  }

  add(column: number, code: CellFaultCode): void {
    const known = Math.min(column, this.columns.length)
    const key = `${known} ${code}`
    const group = this.counts.get(key)
    if (group === undefined) this.counts.set(key, { column: known, code, count: 1 })
    else group.count++
  }

  /** Largest first, then by column. */
  lines(): string[][] {
    return [...this.counts.values()]
      .sort((a, b) => b.count - a.count || a.column - b.column)
      .map(({ column, code, count }) => [
        columnLetter(column),
        this.label(column),
        cellErrorKinds[code],
        String(count),
      ])
  }
}
