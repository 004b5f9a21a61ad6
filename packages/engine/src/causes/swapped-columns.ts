import type { DiagnosisCount } from '#causes/diagnosis-count.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { SourceCellKind, SourceRow, TableSource } from '#source/table-source.ts'

/** Two columns of which each holds the values of the other. */
export type ColumnSwap = {
  readonly columns: readonly [number, number]
  /** Rows in which one of both cells is bad. */
  readonly rows: number
}

/** Part of all records that must be bad in a column before its values are compared with other columns. */
const BAD_PART = 0.5
/** With more such columns the file has another fault. */
const MOST_COLUMNS = 8
const FEWEST_ROWS = 3
/** Part of the rows that may have further faults. */
const OTHER_PART = 0.05

/** Columns in which most records are bad without a suggestion; Y for Yes has one. `counts`: by column. */
export function mayBeSwapped(counts: readonly (readonly DiagnosisCount[])[], records: number): number[] {
  const isBad = (ofColumn: readonly DiagnosisCount[]) =>
    ofColumn.reduce((sum, { cells, suggested }) => sum + cells - Math.max(...suggested), 0) >=
    records * BAD_PART
  const columns = [...counts.keys()].filter((column) => isBad(counts[column]))
  if (columns.length < 2 || columns.length > MOST_COLUMNS || records < FEWEST_ROWS) return []
  return columns.some((column) => hasValues(counts[column])) ? columns : []
}

/** Whether bad cells of a column have values: two columns of empty cells need no second reading. */
const hasValues = (ofColumn: readonly DiagnosisCount[]): boolean =>
  ofColumn.some(({ kind }) => kind !== 'required' && kind !== 'missingCell' && kind !== 'shortRows')

type Pair = { readonly columns: readonly [number, number]; fits: number; others: number; rows: number }

/**
 * Finds pairs of `candidates` with swapped values: in nearly every row they break the rule of their own
 * column and fit that of the other. Reads the whole file only where there may be such a pair.
 */
export async function readColumnSwaps(
  table: TableSource,
  columns: readonly ColumnCheck[],
  candidates: readonly number[],
  records: number,
): Promise<ColumnSwap[]> {
  let pairs = pairsOf(columns, candidates)
  if (pairs.length === 0) return []
  for await (const rows of table.rows({ withKinds: true })) {
    for (const row of rows) for (const pair of pairs) addRow(pair, row, columns)
    // By all records, not by those read so far: the order of rows and the size of batches mean nothing.
    pairs = pairs.filter(({ others }) => others <= mostOthers(records))
    if (pairs.length === 0) return []
  }
  pairs = pairs.filter(({ fits, others }) => others <= mostOthers(fits + others))
  // A column that fits two others says nothing.
  const isOnly = (column: number) => pairs.filter((pair) => pair.columns.includes(column)).length === 1
  return pairs.filter((pair) => pair.fits >= FEWEST_ROWS && pair.columns.every(isOnly))
}

function pairsOf(columns: readonly ColumnCheck[], candidates: readonly number[]): Pair[] {
  return candidates.flatMap((one, index) =>
    candidates
      .slice(index + 1)
      .filter((other) => !areBothDates(columns[one], columns[other]))
      .map((other) => ({ columns: [one, other] as const, fits: 0, others: 0, rows: 0 })),
  )
}

/** Of two dates, each may be written in the format of the other. */
const areBothDates = ({ field: one }: ColumnCheck, { field: other }: ColumnCheck): boolean =>
  one?.rule.type === 'date' && other?.rule.type === 'date'

const mostOthers = (rows: number): number => Math.max(1, Math.floor(rows * OTHER_PART))

function addRow(pair: Pair, { cells, kinds }: SourceRow, columns: readonly ColumnCheck[]): void {
  const [one, other] = pair.columns
  const accepts = (column: number, source: number) => isValid(columns[column], cells[source], kinds?.[source])
  const [isOneBad, isOtherBad] = [!accepts(one, one), !accepts(other, other)]
  if (isOneBad || isOtherBad) pair.rows++
  const [isOneBlank, isOtherBlank] = [isBlank(cells[one]), isBlank(cells[other])]
  if (isOneBlank && isOtherBlank) return
  const isOneMoved = isOneBlank || (isOneBad && accepts(other, one))
  if (isOneMoved && (isOtherBlank || (isOtherBad && accepts(one, other)))) pair.fits++
  else pair.others++
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

function isValid(
  { check, checkDay }: ColumnCheck,
  text: string | undefined,
  kind: SourceCellKind | undefined,
): boolean {
  if (kind === 'error') return false
  const day = kind === 'moment' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') : null
  return (
    (day === null ? check(text ?? '') : checkDay(Number(day[1]), Number(day[2]), Number(day[3]))) === null
  )
}
