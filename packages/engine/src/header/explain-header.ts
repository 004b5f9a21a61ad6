import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { labelKey } from '@veridict/contract/notation/label'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { columnTable, type HeaderReading } from '#header/column-table.ts'
import { type ColumnValue, columnValues, readEvidenceIn } from '#header/column-values.ts'
import {
  DifferentColumns,
  type MismatchedTable,
  rowStructure,
  type Structure,
  structureCause,
} from '#header/header-structure.ts'
import { fitInOrder, isHeadingMissing, isTelling } from '#header/is-heading-missing.ts'
import { readOtherSheets } from '#header/other-sheets.ts'
import { equalNames, type Pair, pairColumns, type Sides, sidesOf } from '#header/pair-columns.ts'
import type { Platform } from '#platform.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'
import { rowText } from '#source/table-view.ts'

/** Columns that the table of differences shows. A file with more usually differs in every column. */
const MAX_COLUMNS = 100
/** A file is for another dictionary if at least this many columns are unknown … */
const MIN_UNKNOWN = 3
/** … and at most one of this many is known. */
const COLUMNS_PER_KNOWN = 3

type Explained = { problem: FileProblem; labels?: string[]; structure: Structure }

/**
 * Adds what the first rows show: that the heading row is missing or further down, that the file is made for
 * another dictionary, which column is probably which; and that another sheet has the right columns. See
 * docs/BEHAVIOUR.md#columns-that-differ.
 */
export async function explainHeader(
  problem: FileProblem,
  table: TableSource,
  { fields, platform }: { fields: readonly Field[]; platform: Platform },
): Promise<Explained> {
  const labels = table.header.slice(table.firstColumn)
  const { reading, structure: ofTable } = await readHeader(labels, table, fields, platform)
  const columns = columnTable(labels, fields, table.firstColumn, reading)
  const others = await readOtherSheets(table.sheets, fields)
  // With the table on another sheet, this one may look like anything.
  const structure = others.isFitting ? others.structure : ofTable
  const isBelow = reading.kind === 'below'
  const hints = [
    ...(others.isFitting && !isBelow ? [] : diagnosisOf(reading, labels, fields)),
    // Hints about how a title was read say nothing about the table below it.
    ...(isBelow && !others.isFitting ? [] : [...(problem.hints ?? []), ...others.hints]),
    ...(columns.length > MAX_COLUMNS ? [fileProblemMessages.moreColumns(MAX_COLUMNS, columns.length)] : []),
  ]
  const causes = [...structure.causes]
  const explained = { ...problem, hints, columns: columns.slice(0, MAX_COLUMNS), causes }
  return reading.kind === 'names' && !others.isFitting
    ? { problem: explained, labels, structure }
    : { problem: explained, structure }
}

async function readHeader(
  labels: readonly string[],
  table: TableSource,
  fields: readonly Field[],
  platform: Platform,
): Promise<{ reading: HeaderReading; structure: Structure }> {
  const { terminators, firstColumn, headerRowNumber: headingRow } = table
  const sides = sidesOf(labels, fields)
  const mismatched = { sides, firstColumn, headingRow }
  const ofNames = (
    reading: HeaderReading & { kind: 'names' },
    values: readonly (readonly ColumnValue[])[],
  ) => ({ reading, structure: withRepeats(new DifferentColumns(mismatched, reading, values), table) })
  const present = new Set(sides.labelKeys)
  const matching = new Set(sides.fieldKeys.filter((key) => present.has(key)))
  if (matching.size === fields.length && labels.length === fields.length) {
    const found = { known: fields.length, isOther: false, isRenamed: false }
    return ofNames({ kind: 'names', pairs: new Map(), ...found }, [])
  }
  const rows = await readFirstRows(table)
  const checks = await compileColumns(fields, terminators, platform)
  const below = findHeaderBelow(rows, sides)
  if (below !== null && (below.isExact || matching.size === 0)) {
    const { rowNumber } = below
    const above = [
      { rowNumber: headingRow, cells: table.header },
      ...rows.filter((row) => row.rowNumber < rowNumber),
    ]
    return { reading: { kind: 'below', ...below }, structure: titleRows(mismatched, below, above, checks) }
  }
  const values = columnValues(rows, labels.length, firstColumn)
  if (matching.size === 0 && isHeadingMissing(labels, checks, values)) {
    const isSure = fitInOrder(labels, checks, values)
    const canBeAll = rows.every(({ cells }) => labelsIn(cells).length <= fields.length)
    const correctable = labels.length > fields.length || !canBeAll ? 'no' : isSure ? 'yes' : 'choice'
    const cause = structureCause('headingMissing', correctable, { firstRow: headingRow })
    return { reading: { kind: 'missing' }, structure: rowStructure(mismatched, cause, []) }
  }
  const pairs = pairColumns(sides, readEvidenceIn(values, checks))
  const known = matching.size + [...pairs.values()].filter(({ by }) => by === 'name').length
  const renamed = countInPlace(pairs)
  const isRenamed = labels.length === fields.length && 2 * (known + renamed) >= labels.length
  const isOther = !isRenamed && isForOther(known, labels)
  return ofNames({ kind: 'names', pairs, known, isOther, isRenamed }, values)
}

/**
 * Rows above the heading row are surely no records where at most half of their cells are filled, and a rule
 * refuses one of them. Where all of them are texts, this says nothing: a title is one, too.
 */
function titleRows(
  table: MismatchedTable,
  { rowNumber, firstColumn }: HeaderBelow,
  above: readonly SourceRow[],
  checks: readonly ColumnCheck[],
): Structure {
  const filled = above.map(({ cells }) => cells.filter(isFilled))
  const mayBeRecord = ({ cells }: SourceRow) => {
    const texts = checks.map((_, column) => cells[firstColumn + column] ?? '')
    const isToldBy = (check: ColumnCheck, column: number) =>
      isFilled(texts[column]) && isTelling(check, texts[column])
    return checks.some(isToldBy) && checks.every(({ check }, column) => check(texts[column]) === null)
  }
  const isTitle = (row: SourceRow, index: number) =>
    filled[index].length * 2 <= checks.length && !mayBeRecord(row)
  const isSure = above.every(isTitle)
  const cause = structureCause('titleRows', isSure ? 'yes' : 'choice', { firstRow: 1, rows: rowNumber - 1 })
  const removed = above.map((row, index) => ({ rowNumber: row.rowNumber, text: filled[index].join(' ') }))
  return rowStructure(table, cause, removed)
}

/** Rows that repeat the heading row get its new names, too: then they are known to be no records. */
const withRepeats = (columns: DifferentColumns, table: TableSource): Structure => ({
  causes: columns.causes(),
  async viewOf(accepted) {
    const view = columns.viewOf(accepted)
    const repeats = new Set<number>()
    const heading = rowText(table.header)
    try {
      if (view !== null)
        for await (const batch of table.rows())
          for (const { rowNumber, cells } of batch) if (rowText(cells) === heading) repeats.add(rowNumber)
    } catch (error) {
      // The report of the copy says what is wrong further down.
      if (!(error instanceof FileProblemError)) throw error
    }
    return view && { ...view, heading: { ...view.heading, repeats } }
  },
})

/** Pairs by values whose column is where its field belongs. */
const countInPlace = (pairs: ReadonlyMap<number, Pair>): number =>
  [...pairs].filter(([column, { field, by }]) => column === field && by === 'values').length

const countNamed = (labels: readonly string[]) => labels.filter((label) => labelKey(label) !== '').length

function isForOther(known: number, labels: readonly string[]): boolean {
  const unknown = countNamed(labels) - known
  return unknown >= MIN_UNKNOWN && known * COLUMNS_PER_KNOWN <= known + unknown
}

function diagnosisOf(reading: HeaderReading, labels: readonly string[], fields: readonly Field[]): string[] {
  switch (reading.kind) {
    case 'below':
      return [fileProblemMessages.headerBelow(reading.rowNumber, reading.isExact)]
    case 'missing':
      return [fileProblemMessages.headingMissing(fields.map(({ name }) => name))]
    case 'names':
      if (reading.isOther) return [fileProblemMessages.otherDictionary(reading.known, countNamed(labels))]
      return reading.isRenamed && isForOther(reading.known, labels)
        ? [fileProblemMessages.otherNames(fields.map(({ name }) => name))]
        : []
  }
}

/** Records that are searched; titles and notes above a table are rarely longer. */
const MAX_RECORDS = 20

/** A row below the first one that has the dictionary's columns; `isExact`: no others, and in their order. */
type HeaderBelow = { rowNumber: number; isExact: boolean; firstColumn: number }

/** The row below titles or notes with at least half of the dictionary's columns and two. null for none. */
function findHeaderBelow(
  rows: readonly SourceRow[],
  { fields, fieldKeys, labels }: Sides,
): HeaderBelow | null {
  let found: HeaderBelow | null = null
  let most = Math.max(1, Math.ceil(fields.length / 2) - 1)
  if (countSureNames(labels, fields) > most) return null
  for (const { rowNumber, cells } of rows.slice(0, MAX_RECORDS)) {
    const names = labelsIn(cells)
    const isExact =
      names.length === fields.length && fieldKeys.every((key, index) => labelKey(names[index]) === key)
    const count = isExact ? Infinity : countSureNames(names, fields)
    if (count <= most) continue
    found = { rowNumber, isExact, firstColumn: cells.findIndex(isFilled) }
    most = count
  }
  return found
}

/** How many cells surely are names of fields, also in another spelling. Rows with numbers are records. */
function countSureNames(names: readonly string[], fields: readonly Field[]): number {
  const sides = sidesOf(names, fields)
  const pairs = names.some((name) => /^\s*\d/.test(name)) ? [] : [...pairColumns(sides).values()]
  return equalNames(sides).length + pairs.filter(({ by, isSure }) => by === 'name' && isSure).length
}

const isFilled = (cell: string): boolean => cell.trim() !== ''

function labelsIn(cells: readonly string[]): readonly string[] {
  return cells.slice(Math.max(0, cells.findIndex(isFilled)), cells.findLastIndex(isFilled) + 1)
}

/** How many rows below the header are read to explain it: enough also for titles above the header. */
const MAX_ROWS = 50

/** The first rows below a header that does not match. None if the file cannot be read further. */
async function readFirstRows(table: TableSource): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = []
  try {
    for await (const batch of table.rows({ withKinds: true })) {
      rows.push(...batch.slice(0, MAX_ROWS - rows.length))
      if (rows.length >= MAX_ROWS) break
    }
  } catch (error) {
    // A problem further down does not matter while the header is wrong.
    if (!(error instanceof FileProblemError)) throw error
  }
  return rows
}
