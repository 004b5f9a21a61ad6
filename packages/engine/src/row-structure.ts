import type { Cause } from '@veridict/contract/model/cause'
import { labelKey } from '@veridict/contract/notation/label'
import type { Conclusion } from '#causes/conclusion.ts'
import { DiagnosedRows } from '#causes/diagnosed-rows.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type Accepted, type Structure, structureCause } from '#header/header-structure.ts'
import { isBlankRecord } from '#formats/csv/record-reader.ts'
import { findRowsDelimiter } from '#source/csv/open-csv.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'
import { type ColumnMap, type RemovedPart, type TableView, UNCHANGED } from '#source/table-view.ts'
import { validateKnown } from '#source/validate-known.ts'

/** Of these rows a copy leaves out some, and moves back others. */
const ROW_KINDS: ReadonlySet<string> = new Set(['secondHeading', 'totalsRow', 'shiftedRows'])
const REPEATED_HEADING = 'rows.secondHeading.repeated'
/** Rows that are read to find out whether a copy can correct a row. */
const MOST_ROWS_READ = 100_000

/**
 * The causes of rows that are no records, or whose cells stand in the wrong columns, and a copy without them.
 * Of rows that must be read for that, the first one says whether a copy can correct them.
 */
export async function readRowStructure(
  request: TableRequest,
  table: TableSource,
  columns: readonly ColumnCheck[],
  conclusion: Conclusion,
): Promise<Structure> {
  const causes: Cause[] = []
  for (const cause of conclusion.causes) {
    if (!ROW_KINDS.has(cause.kind)) continue
    cause.correctable = (await canCorrect(table, columns, cause)) ? 'yes' : 'no'
    causes.push(cause)
  }
  const { terminators, header, headerRowNumber: row } = table
  const delimiter =
    terminators.kind === 'xml' || conclusion.causes.length === 0
      ? null
      : await findRowsDelimiter(request.source, terminators.delimiter, header.length, request.platform)
  if (delimiter === null) return { causes, viewOf: (accepted) => viewWithout(request, conclusion, accepted) }
  // What the rows are is known once they are read with their own delimiter.
  const cause = structureCause('delimiter', 'yes', { firstRow: row })
  conclusion.causes.push(cause)
  const heading = { row, isNew: false, texts: new Map<number, string>(), delimiter }
  const view: TableView = { ...UNCHANGED, width: header.length, heading }
  return { causes: [cause], viewOf: () => view }
}

async function canCorrect(
  table: TableSource,
  columns: readonly ColumnCheck[],
  cause: Cause,
): Promise<boolean> {
  if (cause.kind !== 'shiftedRows' && cause.id !== REPEATED_HEADING) return true
  if (cause.firstRow > MOST_ROWS_READ) return false
  for await (const row of rowsOf(table))
    if (row.rowNumber === cause.firstRow) return changeOf(row, cause, columns, table.header.length) !== null
  return false
}

/** What a copy makes of a row of a cause: it moves the cells, or leaves the row out; null: it stays. */
function changeOf(
  row: SourceRow,
  { kind, id }: Cause,
  columns: readonly ColumnCheck[],
  width: number,
): ColumnMap | 'leftOut' | null {
  if (kind === 'shiftedRows') return movedBack(row, columns, width)
  // Its bad cells are names. Values beside them are data.
  const isName = (cell: string, column: number) =>
    cell.trim() === '' || labelKey(cell) === labelKey(columns[column]?.field?.name ?? '')
  return id !== REPEATED_HEADING || row.cells.every(isName) ? 'leftOut' : null
}

async function* rowsOf(table: TableSource): AsyncGenerator<SourceRow> {
  for await (const batch of table.rows({ withKinds: true })) yield* batch
}

/** Reads the file again for all rows of the accepted causes. */
async function viewWithout(
  request: TableRequest,
  conclusion: Conclusion,
  accepted: Accepted,
): Promise<TableView> {
  const table = await openTable(request)
  const compiled = await compileDictionary(request, table)
  const causes = new Map(conclusion.causes.map((cause) => [cause.id, cause]))
  const causeOfRow = new Map<number, Cause>()
  const sink = new DiagnosedRows(compiled.columns, conclusion, ({ rowNumber, cells }) => {
    const cause = causes.get(cells[0].cause ?? '')
    if (cause !== undefined && accepted.has(cause.id)) causeOfRow.set(rowNumber, cause)
  })
  await validateKnown(table, compiled, sink)
  const { header, headerRowNumber } = table
  const droppedRows = new Set<number>()
  const removed: RemovedPart[] = []
  const rowColumns = new Map<number, ColumnMap>()
  for await (const row of rowsOf(table)) {
    const { rowNumber, cells } = row
    const cause = causeOfRow.get(rowNumber)
    const change = cause === undefined ? null : changeOf(row, cause, compiled.columns, header.length)
    if (change === 'leftOut') {
      droppedRows.add(rowNumber)
      removed.push({ rowNumber, text: cells.filter((cell) => cell.trim() !== '').join(' ') })
    } else if (change !== null) rowColumns.set(rowNumber, change)
  }
  const heading = { row: headerRowNumber, isNew: false, texts: new Map<number, string>() }
  return { ...UNCHANGED, droppedRows, rowColumns, width: header.length, heading, removed }
}

/**
 * The columns from which a row's cells come once they are moved back: without a blank cell that is one too
 * many, or with one that is missing. null where no such change makes all cells valid, or different ones do.
 */
function movedBack(row: SourceRow, columns: readonly ColumnCheck[], width: number): ColumnMap | null {
  if (!isBlankRecord(row.cells.slice(width + 1))) return null
  const textOf = (source: number | null) => (source === null ? '' : (row.cells[source] ?? ''))
  const places = [...Array(width).keys()]
  const isBlank = (column: number) => textOf(column).trim() === ''
  const isLastBlank = isBlankRecord(row.cells.slice(width - 1))
  const without = places.filter(isBlank).map((one) => [...places, width].filter((column) => column !== one))
  const withOne = places.map((one) =>
    places.map((column) => (column < one ? column : column === one ? null : column - 1)),
  )
  const found = new Map<string, ColumnMap>()
  for (const map of [...without, ...(isLastBlank ? withOne : [])]) {
    const isValid = columns.every(({ check, field }, column) => {
      const source = map[column]
      if (source !== null && row.kinds?.[source] === 'moment') return field?.rule.type === 'date'
      return check(textOf(source)) === null
    })
    if (isValid) found.set(JSON.stringify(map.map(textOf)), map)
  }
  return found.size === 1 ? [...found.values()][0] : null
}
