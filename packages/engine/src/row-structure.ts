import { emptyRowsQuestion, joinQuestion } from '@veridict/contract/messages/structure'
import type { Cause } from '@veridict/contract/model/cause'
import type { Verdict } from '@veridict/contract/model/verdict'
import { labelKey } from '@veridict/contract/notation/label'
import type { Conclusion } from '#causes/conclusion.ts'
import { diagnosedCells } from '#causes/diagnosed-cells.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { quoted } from '#header/check-header.ts'
import {
  type Accepted,
  isAccepted,
  type Structure,
  structureCause,
  structureChoices,
} from '#header/header-structure.ts'
import { isBlankRecord } from '#formats/csv/record-reader.ts'
import { findRowsDelimiter } from '#source/csv/open-csv.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { nobody, type SourceRow, type TableSource } from '#source/table-source.ts'
import {
  type ColumnMap,
  type JoinedCell,
  type RemovedPart,
  type TableView,
  UNCHANGED,
} from '#source/table-view.ts'
import { validateKnown } from '#source/validate-known.ts'

/** Of these rows a copy leaves out some, and moves back others. */
const ROW_KINDS: ReadonlySet<string> = new Set(['secondHeading', 'totalsRow', 'nearlyEmpty', 'shiftedRows'])
const REPEATED_HEADING = 'rows.secondHeading.repeated'
/** Rows that are read to find out whether a copy can correct a row. */
const MOST_ROWS_READ = 100_000

/**
 * The causes of rows that are no records, or whose cells stand in the wrong columns, and a copy without them.
 * The first row of a cause shows whether a copy can correct it.
 */
export async function readRowStructure(
  request: RowStructureRequest,
  table: TableSource,
  columns: readonly ColumnCheck[],
  { conclusion, verdict }: { conclusion: Conclusion; verdict: Verdict },
): Promise<Structure> {
  if (verdict.kind !== 'rowErrors') return { causes: [], viewOf: () => null }
  const { terminators, header, headerRowNumber: row } = table
  const delimiter =
    terminators.kind === 'xml'
      ? null
      : await findRowsDelimiter(request.source, terminators.delimiter, header.length, request.platform)
  // What the rows are is known once they are read with their own delimiter.
  if (delimiter !== null) {
    const cause = structureCause('delimiter', 'yes', { firstRow: row })
    verdict.causes.push(cause)
    verdict.causeRows.push({ cause: cause.id, rows: [] })
    const heading = { row, isNew: false, texts: new Map<number, string>(), delimiter }
    const view: TableView = { ...UNCHANGED, width: header.length, heading }
    return { causes: [cause], viewOf: () => view }
  }
  const causes: Cause[] = []
  for (const cause of verdict.causes) {
    if (!ROW_KINDS.has(cause.kind)) continue
    // Where most rows are nearly empty, they are records.
    if (cause.kind === 'nearlyEmpty' && cause.rows * 2 > verdict.recordsCount) continue
    const change = await firstChange(table, columns, cause)
    cause.correctable = change === null ? 'no' : 'yes'
    const question = change === null ? null : questionOf(cause, change, request)
    if (question !== null)
      Object.assign(cause, { correctable: 'choice', question, choices: structureChoices(cause.kind) })
    causes.push(cause)
  }
  return { causes, viewOf: (accepted) => viewWithout(request, conclusion, causes, accepted) }
}

/** What a copy makes of the first row of a cause. Not read where all such rows are left out. */
async function firstChange(
  table: TableSource,
  columns: readonly ColumnCheck[],
  cause: Cause,
): Promise<RowChange | null> {
  if (cause.kind !== 'shiftedRows' && cause.id !== REPEATED_HEADING) return 'leftOut'
  if (cause.firstRow > MOST_ROWS_READ) return null
  for await (const row of rowsOf(table))
    if (row.rowNumber === cause.firstRow) return changeOf(row, cause, columns, table)
  return null
}

type RowStructureRequest = TableRequest & { rowInSource?: (row: number) => number }

/** A copy moves the cells of a row, makes one of two, or leaves the row out. */
type RowChange = ColumnMap | JoinedCell | 'leftOut'
const isJoin = (change: RowChange): change is JoinedCell => change !== 'leftOut' && 'text' in change

/** null if it is sure. But two cells may be one value or one too many, a nearly empty row may be a record. */
function questionOf(
  { kind, firstRow, rows, examples }: Cause,
  change: RowChange,
  { rowInSource = (row) => row }: RowStructureRequest,
): string | null {
  const row = rowInSource(firstRow)
  if (isJoin(change)) return joinQuestion(quoted(change.text), row)
  const texts = examples.filter(({ rowNumber }) => rowNumber === firstRow).map(({ value }) => quoted(value))
  return kind === 'nearlyEmpty' ? emptyRowsQuestion(row, texts, rows) : null
}

/** What a copy makes of a row of a cause; null: it stays. */
function changeOf(
  row: SourceRow,
  { kind, id }: Cause,
  columns: readonly ColumnCheck[],
  table: TableSource,
): RowChange | null {
  if (kind === 'shiftedRows') return movedBack(row, columns, table)
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
  found: readonly Cause[],
  accepted: Accepted,
): Promise<TableView> {
  const table = await openTable(request)
  const compiled = await compileDictionary(request, table)
  const causes = new Map(found.map((cause) => [cause.id, cause]))
  const causeOfRow = new Map<number, Cause>()
  const diagnosed = diagnosedCells(compiled.columns, conclusion)
  await validateKnown(table, compiled, {
    ...nobody,
    badCells(rowNumber, cells, row) {
      const cause = causes.get(diagnosed(rowNumber, cells, row)[0]?.cause ?? '')
      if (isAccepted(cause, accepted)) causeOfRow.set(rowNumber, cause!)
    },
  })
  const droppedRows = new Set<number>()
  const removed: RemovedPart[] = []
  const rowColumns = new Map<number, ColumnMap>()
  const joinedCells = new Map<number, JoinedCell>()
  for await (const row of rowsOf(table)) {
    const { rowNumber, cells } = row
    const cause = causeOfRow.get(rowNumber)
    const change = cause === undefined ? null : changeOf(row, cause, compiled.columns, table)
    if (change === 'leftOut') {
      droppedRows.add(rowNumber)
      removed.push({ rowNumber, text: cells.filter((cell) => cell.trim() !== '').join(' ') })
    } else if (change !== null && isJoin(change) === (cause!.correctable === 'choice')) {
      // Who is asked about cells that may be one has not said that others may move.
      if (isJoin(change)) joinedCells.set(rowNumber, change)
      else rowColumns.set(rowNumber, change)
    }
  }
  const heading = { row: table.headerRowNumber, isNew: false, texts: new Map<number, string>() }
  return { columns: null, droppedRows, rowColumns, joinedCells, width: table.header.length, heading, removed }
}

/**
 * How the row is right: without a blank cell too many, with one that is missing, or with two joined where a
 * delimiter in a text divided them. null where no such change makes all cells valid, or different ones do.
 */
function movedBack(
  { cells, kinds }: SourceRow,
  columns: readonly ColumnCheck[],
  { header: { length: width }, terminators }: TableSource,
): ColumnMap | JoinedCell | null {
  if (!isBlankRecord(cells.slice(width + 1))) return null
  const textOf = (source: number | null) => (source === null ? '' : (cells[source] ?? ''))
  const places = [...Array(width).keys()]
  const isBlank = (column: number) => textOf(column).trim() === ''
  const isLastBlank = isBlankRecord(cells.slice(width - 1))
  const without = places.filter(isBlank).map((one) => [...places, width].filter((column) => column !== one))
  const withOne = places.map((one) =>
    places.map((column) => (column < one ? column : column === one ? null : column - 1)),
  )
  const found = new Map<string, ColumnMap | JoinedCell>()
  for (const map of [...without, ...(isLastBlank ? withOne : [])]) {
    const isValid = columns.every(({ check, field }, column) => {
      const source = map[column]
      if (source !== null && kinds?.[source] === 'moment') return field?.rule.type === 'date'
      return check(textOf(source)) === null
    })
    if (isValid) found.set(JSON.stringify(map.map(textOf)), map)
  }
  if (terminators.kind !== 'xml' && cells.length > width) {
    const delimiter = String.fromCharCode(terminators.delimiter)
    for (const column of places.filter((one) => !isBlank(one) && !isBlank(one + 1))) {
      if (found.size > 1) return null
      const joinedBy = (separator: string) =>
        cells.toSpliced(column, 2, textOf(column) + separator + textOf(column + 1))
      const isValid = (texts: readonly string[]) =>
        columns.every(({ check }, at) => check(texts[at]) === null)
      // It may be one number in another notation, which is never rewritten unasked.
      if (columns[column].field?.rule.type === 'number' && ['', '.'].some((one) => isValid(joinedBy(one))))
        return null
      const texts = joinedBy(delimiter)
      if (isValid(texts)) found.set(JSON.stringify(texts), { column, text: texts[column] })
    }
  }
  return found.size === 1 ? [...found.values()][0] : null
}
