import { errorFileLimits } from '@veridict/contract/limits'
import { errorFileSheets } from '@veridict/contract/messages/error-files'
import type { Field } from '@veridict/contract/model/field'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { openText } from '#formats/csv/open-text.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { compareHeader } from '#header/check-header.ts'
import { fillDifference } from '#formats/spreadsheet/style-sheet.ts'
import { dataValidations } from '#formulas/living-columns.ts'
import { ABOUT, LivingCopy } from '#output/living-copy.ts'
import { LOOK_COLORS } from '#output/mark-fill.ts'
import { cellStyles } from '#output/cell-styles.ts'
import { CsvGrid } from '#output/csv-grid.ts'
import { FaultFeed } from '#output/fault-feed.ts'
import { highlightWorkbook } from '#output/highlight-workbook.ts'
import { type Mark, type MarkedRow, marksOfFaults } from '#output/marked-rows.ts'
import { RowFeed, type Rows } from '#output/row-feed.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { TableSource } from '#source/table-source.ts'

/**
 * The source with each bad cell filled red and a note that names the error and what is expected. A workbook
 * keeps its formats; a CSV file becomes a grid of text cells. If the header does not match the fields, only
 * it is marked. Validates the file again while it writes, in bounded memory; the same file and fields give
 * the same bytes. Throws `FileProblemError` for an unreadable file. See docs/BEHAVIOUR.md#highlighted-file.
 */
export async function* writeHighlightedFile(request: TableRequest): AsyncGenerator<Uint8Array> {
  const feed = new FaultFeed({ keepsValues: false, keeps: 'both', maxWorded: errorFileLimits.maxNotes })
  try {
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    const header = headerMarks(table, request.fields)
    const marks = await startMarks(table, header, feed, request)
    const checked = header === null ? table : null
    const { terminators } = table
    yield* terminators.kind === 'xml'
      ? highlightWorkbook(marks, checked, request)
      : highlightGrid(table, terminators, marks, new LivingCopy(request, checked, ABOUT), request)
  } finally {
    feed.abandon()
  }
}

async function startMarks(
  table: TableSource,
  header: MarkedRow | null,
  feed: FaultFeed,
  request: TableRequest,
): Promise<Rows<MarkedRow>> {
  if (header !== null) {
    const only = new RowFeed<MarkedRow>()
    only.push(header, 0)
    only.start(async () => {})
    return only
  }
  await feed.validate(table, request)
  return marksOfFaults(feed)
}

/**
 * CSV as text cells, so that leading zeros and dates stay as typed. Rows keep their numbers, also blank ones;
 * beyond Excel's limit they continue on further sheets. A note says that such a file cannot be uploaded.
 */
async function* highlightGrid(
  table: TableSource,
  dialect: CsvDialect,
  marks: Rows<MarkedRow>,
  living: LivingCopy,
  request: TableRequest,
): AsyncGenerator<Uint8Array> {
  const { source, platform, limits } = request
  const grid = new CsvGrid({
    text: await (await openText(source, platform)).from(0),
    dialect,
    platform,
    marks,
    living,
    width: table.header.length,
    headerRow: table.headerRowNumber,
    limits,
  })
  const differences = LOOK_COLORS.map((color) => fillDifference(color))
  yield* writeWorkbook({ sheets: sheetsOf(grid, living), styles: { ...cellStyles, differences } }, platform)
}

async function* sheetsOf(grid: CsvGrid, living: LivingCopy): AsyncGenerator<NewSheet> {
  yield {
    ...grid.sheet(errorFileSheets.data),
    conditionalFormats: () => living.formats({ bad: 0, warning: 1, plain: 2 }),
    validations: dataValidations(living.columns),
  }
  while (!grid.isDone) yield grid.sheet(continuedSheetName(grid.firstRow))
  yield living.aboutSheet(null)
}

/** The columns that differ, each with a note; red empty cells for missing ones. null if all match. */
function headerMarks(
  table: Pick<TableSource, 'header' | 'headerRowNumber' | 'firstColumn'>,
  fields: readonly Field[],
): MarkedRow | null {
  const notes = compareHeader(table, fields).flatMap(({ positions, sentence }) =>
    // A column may be missing far beyond the header; then the cell after the last label is marked.
    positions.map((position) => ({ column: Math.min(position, table.header.length), sentence })),
  )
  if (notes.length === 0) return null
  const cells = [...Map.groupBy(notes, ({ column }) => column)].map(([column, ofColumn]): Mark => ({
    column,
    kind: 'bad',
    hasNote: true,
    note: ofColumn.map(({ sentence }) => sentence).join('\n'),
  }))
  return { rowNumber: table.headerRowNumber, cells: cells.sort((a, b) => a.column - b.column) }
}
