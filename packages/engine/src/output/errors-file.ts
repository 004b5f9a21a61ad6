import { worksheetBounds } from '@veridict/contract/limits'
import { errorFileSheets, errorsHeadings, summaryHeadings } from '@veridict/contract/messages/error-files'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { textRow } from '#formats/spreadsheet/write-cells.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { CellStyle, cellStyles, textColumns } from '#output/cell-styles.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { FaultFeed, type FaultyRow, type FaultyRows } from '#output/fault-feed.ts'
import { ErrorCounts } from '#rows/error-counts.ts'
import { RowKeys } from '#rows/row-keys.ts'
import { openTable } from '#source/open-table.ts'

const ROW_WIDTH = 9
const KEY_WIDTH = 20
const ERROR_WIDTHS = [7, 28, 52, 32, 60]
const SUMMARY_COLUMNS = textColumns([7, 28, 52, 12])
/** The number of a sheet's other columns. A dictionary may have so many fields that identify the row. */
const MAX_KEY_COLUMNS = worksheetBounds.maxColumns - errorsHeadings.length
/** The places of the first sheets of errors and of the summary; further sheets of errors follow. */
const [ERRORS, SUMMARY, FURTHER_ERRORS] = [1, 2, 3]

/**
 * The Errors workbook: sheets with one row per bad cell, as many as it takes, and a sheet that counts the
 * errors by column and kind. Validates the file again while it writes, in bounded memory. The same file and
 * fields give the same bytes. Throws `FileProblemError` for a file that cannot be read. See
 * docs/BEHAVIOUR.md#errors-file.
 */
export async function* writeErrorsFile(request: ErrorFileRequest): AsyncGenerator<Uint8Array> {
  const { fields, platform } = request
  const feed = new FaultFeed({ keepsValues: true })
  try {
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    const columns = await compileColumns(fields, table.terminators, platform, table.firstColumn)
    const keys = new RowKeys(columns, platform)
    feed.start(() => table.validate(columns, feed), keys)
    yield* writeWorkbook({ sheets: sheetsOf(feed, columns, keys.labels), styles: cellStyles }, platform)
  } finally {
    feed.abandon()
  }
}

async function* sheetsOf(
  rows: FaultyRows,
  columns: readonly ColumnCheck[],
  keyLabels: readonly string[],
): AsyncGenerator<NewSheet> {
  const counts = new ErrorCounts(columns)
  const errors = { rows, counts, keyLabels: keyLabels.slice(0, MAX_KEY_COLUMNS) }
  yield errorsSheet(errorFileSheets.errors, ERRORS, errors)
  for (let position = FURTHER_ERRORS; (await rows.peek()) !== null; position++)
    yield errorsSheet(errorFileSheets.furtherErrors(position - 1), position, errors)
  yield summarySheet(counts)
}

type Errors = { rows: FaultyRows; counts: ErrorCounts; keyLabels: readonly string[] }

/**
 * A sheet with as many of the next errors as it can hold. A row of the file is not split over two sheets.
 * Each field that identifies the row has a column beside the row number, to filter by and to search in.
 */
function errorsSheet(name: string, position: number, { rows, counts, keyLabels }: Errors): NewSheet {
  const [rowHeading, ...headings] = errorsHeadings
  let written = 1
  async function* errorRows() {
    yield textRow(1, CellStyle.Heading, [rowHeading, ...keyLabels, ...headings])
    for (let row = await rows.peek(); row !== null; row = await rows.peek()) {
      if (written + row.faults.length > worksheetBounds.maxRows) break
      yield rowsOf(row, written + 1, counts)
      written += row.faults.length
      rows.take()
    }
  }
  return {
    name,
    position,
    columns: textColumns([ROW_WIDTH, ...keyLabels.map(() => KEY_WIDTH), ...ERROR_WIDTHS]),
    hasFilter: true,
    rows: errorRows(),
    rowCount: () => written,
  }
}

/** The errors of one row of the file, from row `first` of the sheet on. */
function rowsOf({ rowNumber, key, faults }: FaultyRow, first: number, counts: ErrorCounts): string {
  const place = [String(rowNumber), ...key.slice(0, MAX_KEY_COLUMNS).map(({ value }) => value)]
  let xml = ''
  for (const [index, { column, fault, value }] of faults.entries()) {
    counts.add(column, fault.code)
    const label = counts.label(column)
    const texts = [...place, columnLetter(column), label, fault.error, value, fault.expected]
    xml += textRow(first + index, CellStyle.Text, texts)
  }
  return xml
}

function summarySheet(counts: ErrorCounts): NewSheet {
  const groups = counts.groups()
  return {
    name: errorFileSheets.summary,
    position: SUMMARY,
    columns: SUMMARY_COLUMNS,
    hasFilter: true,
    rows: [
      textRow(1, CellStyle.Heading, summaryHeadings),
      ...groups.map(({ columnPosition, label, error, count }, index) =>
        textRow(index + 2, CellStyle.Text, [columnPosition, label, error, String(count)]),
      ),
    ],
    rowCount: () => groups.length + 1,
  }
}
