import type { Cause, CausesBelow } from '@veridict/contract/model/cause'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Conclusion } from '#causes/conclusion.ts'
import { type DiagnosedCell, diagnosedCells } from '#causes/diagnosed-cells.ts'
import { withSwappedDates } from '#causes/swapped-dates.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import {
  causesIn,
  correctStructure,
  type CorrectedStructure,
  type CorrectionChoice,
  inSource,
  isWanted,
} from '#output/corrected-structure.ts'
import { correctCsv } from '#output/correct-csv.ts'
import { correctWorkbook } from '#output/correct-workbook.ts'
import { type CorrectedRow, type Correction, CorrectionTally } from '#output/corrections.ts'
import { RowFeed } from '#output/row-feed.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { remedyOf, ruleCauseId } from '#rows/rule-counts.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { nobody, type PacedSink, type RowView } from '#source/table-source.ts'
import type { RemovedPart } from '#source/table-view.ts'
import { validateKnown } from '#source/validate-known.ts'

export type CorrectedFileRequest = TableRequest & CorrectionChoice

/** What a corrected copy changes. Complete when its last byte was read. */
export type CorrectionOutcome = {
  /** Cells that got their suggestion. */
  corrected: number
  remaining: number
  /** Of the remaining cells, those with a suggestion that could not be applied. */
  skipped: number
  causes: { cause: Cause; corrected: number }[]
  /** Valid dates in the columns of these causes that meant another day, and were changed, too. */
  passedWrong: Conclusion['passedWrong']
  /** The causes of the structure that were corrected, before any cell. */
  structure: readonly Cause[]
  /** Rows and columns that the copy does not have. */
  removed: readonly RemovedPart[]
}

export type CorrectedFile =
  | { readonly kind: 'copy'; bytes(): AsyncIterable<Uint8Array>; outcome(): CorrectionOutcome }
  | { readonly kind: 'unknownCauses'; readonly ids: readonly string[] }
  /** `reason`: a sentence about an answer. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'fileProblem'; readonly problem: FileProblem }

/** The memory of a correction besides its texts, in characters. */
const CORRECTION_SIZE = 100

/**
 * A copy in which first the structure is corrected, as far as it is chosen, and then exactly the bad cells of
 * some causes get their suggestions; with swapped dates also the valid ones, so that no value is known to
 * mean something else. Reads the file for its causes, and again while it writes, in bounded memory. The same
 * file, fields and causes give the same bytes; without corrections they are the source's. `bytes` throws
 * `FileProblemError` for a part broken where validation does not read. See docs/BEHAVIOUR.md#corrected-copy.
 */
export async function correctFile(request: CorrectedFileRequest): Promise<CorrectedFile> {
  const structure = await correctStructure(request, request)
  if (typeof structure === 'string') return { kind: 'refused', reason: structure }
  const { found, corrected, removed, known } = structure
  const { verdict, conclusion } = found
  const named = [...(request.causes ?? []), ...(request.answers?.keys() ?? [])]
  const unknown = named.filter((id) => !known.has(id))
  if (unknown.length > 0) return { kind: 'unknownCauses', ids: unknown }
  if (verdict.kind === 'fileProblem' && corrected.length === 0) return verdict
  const answered = new Map(conclusion?.causes.map((cause) => [cause.id, cause]))
  const wanted = conclusion === null ? [] : causesIn(verdict).filter((cause) => isWanted(cause, request))
  const causes = wanted.map((cause) => answered.get(cause.id) ?? cause)
  const tally = new CorrectionTally(request.platform)
  const cellErrorCount = verdict.kind === 'rowErrors' ? verdict.cellErrorCount : 0
  const plan = { structure, causes, tally, cellErrorCount }
  return {
    kind: 'copy',
    bytes: () => copyBytes(request, plan),
    outcome: () => ({
      corrected: tally.count,
      remaining: cellErrorCount - tally.count,
      skipped: tally.skippedCount,
      causes: causes.map((cause) => ({ cause, corrected: tally.countOf(cause.id) })),
      passedWrong: passedWrongOf(conclusion, causes),
      structure: corrected,
      removed,
    }),
  }
}

/** Finds what a choice does not show yet. What of it does not apply is ignored; null if it is refused. */
export async function findCausesBelow(request: CorrectedFileRequest): Promise<CausesBelow | null> {
  const structure = await correctStructure(request, request)
  if (typeof structure === 'string') return null
  const { corrected, found, rowInSource } = structure
  const { verdict } = found
  const cells = verdict.kind === 'rowErrors' ? verdict.cellErrorCount : 0
  const cellErrorCount = verdict.kind === 'fileProblem' ? null : cells
  const causes = causesIn(verdict).map((cause) => inSource(cause, rowInSource))
  return { corrected, causes, cellErrorCount }
}

/** The ids of the causes to correct; with what a person said of single values. */
type WantedCauses = ReadonlyMap<string, ReadonlyMap<string, string> | undefined>

type Plan = {
  readonly structure: CorrectedStructure
  readonly causes: readonly Cause[]
  readonly tally: CorrectionTally
  readonly cellErrorCount: number
}

/** A workbook with another structure always gets a sheet that says what was changed. */
function copyBytes(request: CorrectedFileRequest, plan: Plan): AsyncIterable<Uint8Array> {
  const { source, isWorkbook } = plan.structure
  const hasAnswer = ({ id }: Cause) => request.answers?.has(id) === true
  const isSame = !isWorkbook && plan.causes.every((cause) => cause.suggestions === 0 && !hasAnswer(cause))
  return isSame ? sourceBytes(source) : correctedBytes({ ...request, source }, plan)
}

async function* correctedBytes(
  request: CorrectedFileRequest,
  { structure, causes, tally, cellErrorCount }: Plan,
): AsyncGenerator<Uint8Array> {
  const { fileName } = request
  const { conclusion } = structure.found
  const feed = new RowFeed<CorrectedRow>()
  const wanted = new Map(causes.map(({ id }) => [id, request.answers?.get(id)?.map]))
  try {
    const table = await openTable({ ...request, source: feed.pace(request.source) })
    const passedWrong = passedWrongOf(conclusion, causes)
    let columns: readonly ColumnCheck[] = []
    const compiled = await compileDictionary(request, table, (plain) => {
      columns = plain
      return withSwappedDates(plain, passedWrong)
    })
    feed.start(async () => {
      if (conclusion === null) return
      await validateKnown(table, compiled, correctionSink(compiled.rules, columns, conclusion, wanted, feed))
    })
    const fieldOf = (column: number) => columns[column]?.field
    if (table.terminators.kind === 'csv')
      yield* correctCsv(table.terminators, columns.length, feed, tally, request)
    else {
      const details = {
        table: conclusion && table,
        fileName,
        causes,
        cellErrorCount,
        passedWrong,
        structure,
        labelOf: (column: number) => fieldOf(column)?.name ?? '',
        isNumber: (column: number) => fieldOf(column)?.rule.type === 'number',
      }
      yield* correctWorkbook(feed, tally, details, request)
    }
  } finally {
    feed.abandon()
  }
}

function correctionSink(
  rules: RowRules | null,
  columns: readonly ColumnCheck[],
  conclusion: Conclusion,
  wanted: WantedCauses,
  feed: RowFeed<CorrectedRow>,
): PacedSink {
  const diagnosed = diagnosedCells(columns, conclusion)
  return {
    ...nobody,
    badCells(rowNumber, cells, row, unmet) {
      const ofRules = rules === null ? [] : remediesIn(unmet, rules, row)
      pushCorrections(rowNumber, [...diagnosed(rowNumber, cells, row), ...ofRules], wanted, feed)
    },
    ready: () => feed.ready(),
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
  rowNumber: number,
  cells: readonly DiagnosedCell[],
  wanted: WantedCauses,
  feed: RowFeed<CorrectedRow>,
): void {
  const corrections: Correction[] = []
  let size = 0
  for (const { column, value, cause, suggestion } of cells) {
    if (cause !== null && !wanted.has(cause)) continue
    const right = (cause === null ? undefined : wanted.get(cause)?.get(value.trim())) ?? suggestion
    if (right === null) continue
    corrections.push({ column, cause, original: value, value: right })
    size += CORRECTION_SIZE + value.length + right.length
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
