import type { Cause } from '@veridict/contract/model/cause'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Conclusion } from '#causes/conclusion.ts'
import { type DiagnosedCell, type DiagnosedRow, DiagnosedRows } from '#causes/diagnosed-rows.ts'
import { withSwappedDates } from '#causes/swapped-dates.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { correctCsv } from '#output/correct-csv.ts'
import { correctWorkbook } from '#output/correct-workbook.ts'
import { type CorrectedRow, type Correction, CorrectionTally } from '#output/corrections.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { RowFeed } from '#output/row-feed.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { remedyOf, ruleCauseId } from '#rows/rule-counts.ts'
import { openTable } from '#source/open-table.ts'
import type { PacedSink, RowView } from '#source/table-source.ts'
import { validateKnown } from '#source/validate-known.ts'
import { findCauses } from '#validate-table.ts'

export type CorrectedFileRequest = ErrorFileRequest & {
  /** The ids of the causes whose suggestions are applied; null for all. */
  readonly causes: readonly string[] | null
}

/** What a corrected copy changes. Complete when its last byte was read. */
export type CorrectionOutcome = {
  /** Cells that got their suggestion. */
  corrected: number
  /** Bad cells of the source that were not changed. */
  remaining: number
  /** How many of the remaining cells have a suggestion that could not be applied. */
  skipped: number
  /** What was corrected, by cause. */
  causes: { cause: Cause; corrected: number }[]
  /** Valid dates in the columns of these causes that meant another day, and were changed, too. */
  passedWrong: Conclusion['passedWrong']
}

export type CorrectedFile =
  | { readonly kind: 'copy'; bytes(): AsyncIterable<Uint8Array>; outcome(): CorrectionOutcome }
  | { readonly kind: 'unknownCauses'; readonly ids: readonly string[] }
  | { readonly kind: 'fileProblem'; readonly problem: FileProblem }

/** The memory of a correction besides its texts, in characters. */
const CORRECTION_SIZE = 100

/**
 * A copy of a file in which exactly the bad cells of some causes are replaced by their suggestions; with
 * swapped dates also those that are valid, so that no value is known to mean something else. Reads the file
 * first for its causes, and again while the copy is written, in bounded memory. Without anything to correct
 * the copy is the source. The same file, fields and causes give the same bytes. `bytes` throws
 * `FileProblemError` where the file is broken in a part that validation does not read. See
 * docs/BEHAVIOUR.md#corrected-copy.
 */
export async function correctFile(request: CorrectedFileRequest): Promise<CorrectedFile> {
  const { verdict, conclusion } = await findCauses({ ...request, maxErrorRows: 0, maxCauseRows: 0 })
  if (verdict.kind === 'fileProblem') return verdict
  const all = verdict.kind === 'rowErrors' ? verdict.causes : []
  const known = new Set(all.map(({ id }) => id))
  const unknown = request.causes?.filter((id) => !known.has(id)) ?? []
  if (unknown.length > 0) return { kind: 'unknownCauses', ids: unknown }
  const causes = all.filter(({ id }) => request.causes === null || request.causes.includes(id))
  const tally = new CorrectionTally(request.platform)
  const cellErrorCount = verdict.kind === 'rowErrors' ? verdict.cellErrorCount : 0
  return {
    kind: 'copy',
    bytes: () =>
      conclusion === null || causes.every(({ suggestions }) => suggestions === 0)
        ? sourceBytes(request.source)
        : correctedBytes(request, conclusion, { causes, tally, cellErrorCount }),
    outcome: () => ({
      corrected: tally.count,
      remaining: cellErrorCount - tally.count,
      skipped: tally.skippedCount,
      causes: causes.map((cause) => ({ cause, corrected: tally.countOf(cause.id) })),
      passedWrong: passedWrongOf(conclusion, causes),
    }),
  }
}

type Plan = {
  readonly causes: readonly Cause[]
  readonly tally: CorrectionTally
  readonly cellErrorCount: number
}

async function* correctedBytes(
  request: CorrectedFileRequest,
  conclusion: Conclusion,
  { causes, tally, cellErrorCount }: Plan,
): AsyncGenerator<Uint8Array> {
  const { fileName } = request
  const feed = new RowFeed<CorrectedRow>()
  const ids = new Set(causes.map(({ id }) => id))
  try {
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    const passedWrong = passedWrongOf(conclusion, causes)
    let columns: readonly ColumnCheck[] = []
    const compiled = await compileDictionary(request, table, (plain) => {
      columns = plain
      return withSwappedDates(plain, passedWrong)
    })
    const { rules } = compiled
    const rows = new DiagnosedRows(columns, conclusion, (row) => pushCorrections(row, ids, feed))
    const sink: PacedSink = {
      keepsMemos: rows.keepsMemos,
      badCells(rowNumber, cells, row, unmet) {
        const ofRules = rules === null ? [] : remediesIn(unmet, rules, row)
        if (ofRules.length === 0) rows.badCells(rowNumber, cells, row)
        else
          pushCorrections(
            { rowNumber, cells: [...rows.diagnosed(rowNumber, cells, row), ...ofRules] },
            ids,
            feed,
          )
      },
      record: () => rows.record(),
      ready: () => feed.ready(),
    }
    feed.start(() => validateKnown(table, compiled, sink))
    const fieldOf = (column: number) => columns[column]?.field
    if (table.terminators.kind === 'csv')
      yield* correctCsv(table.terminators, columns.length, feed, tally, request)
    else {
      const details = {
        fileName,
        causes,
        cellErrorCount,
        passedWrong,
        labelOf: (column: number) => fieldOf(column)?.name ?? '',
        isNumber: (column: number) => fieldOf(column)?.rule.type === 'number',
      }
      yield* correctWorkbook(feed, tally, details, request)
    }
  } finally {
    feed.abandon()
  }
}

/** What rules suggest for cells of a row; none where two rules suggest different values, or a blank row. */
function remediesIn(unmet: readonly UnmetTest[], rules: RowRules, row: RowView): DiagnosedCell[] {
  const found = new Map<number, DiagnosedCell | null>()
  for (const test of unmet) {
    const suggestion = test.isWarning ? null : remedyOf(test, rules)
    if (suggestion === null) continue
    const { column, value } = test
    const known = found.get(column)
    const isOther = known === null || (known !== undefined && known.suggestion !== suggestion)
    const cause = ruleCauseId(test.rule.rule.name)
    if (isOther) found.set(column, null)
    else found.set(column, known ?? { column, value, cause, suggestion })
  }
  const cells = [...found.values()].filter((cell) => cell !== null)
  const emptied = cells.filter(({ suggestion }) => suggestion === '').toSorted((a, b) => a.column - b.column)
  return emptied.length === 0 || row.hasContentBeside(emptied) ? cells : []
}

function pushCorrections(
  { rowNumber, cells }: DiagnosedRow,
  causes: ReadonlySet<string>,
  feed: RowFeed<CorrectedRow>,
): void {
  const corrections: Correction[] = []
  let size = 0
  for (const { column, value, cause, suggestion } of cells) {
    if (suggestion === null || (cause !== null && !causes.has(cause))) continue
    corrections.push({ column, cause, original: value, value: suggestion })
    size += CORRECTION_SIZE + value.length + suggestion.length
  }
  corrections.sort((one, other) => one.column - other.column)
  if (corrections.length > 0) feed.push({ rowNumber, cells: corrections }, size)
}

function passedWrongOf(
  conclusion: Conclusion | null,
  causes: readonly Cause[],
): CorrectionOutcome['passedWrong'] {
  const columns = new Set(causes.filter(({ passed }) => passed).map(({ columnPosition }) => columnPosition))
  return conclusion?.passedWrong.filter(({ column }) => columns.has(columnLetter(column))) ?? []
}
