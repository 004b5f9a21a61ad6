import { ErrorType } from '@veridict/contract/model/verdict'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import type { ValidationResult } from '#platform/validator/validator.ts'
import type { RandomStream } from '#simulation/random-stream.ts'

/** What a file contains. It decides the verdict, as the rows of a real file do. */
export type FileContent = {
  kind: 'passed' | 'rowErrors' | 'fileProblem' | 'crash'
  rows: number
  /** Parts in which the reports of its rows are stored. */
  parts: number
  /** How long the engine takes. */
  milliseconds: number
  padding: string
}

/** Larger files are stored by a job of their own. Small, because hashing takes time. */
export const SMALL_BYTES = 200

export function randomContent(random: RandomStream): FileContent {
  const draw = random.next()
  const kind = draw < 0.5 ? 'passed' : draw < 0.8 ? 'rowErrors' : draw < 0.97 ? 'fileProblem' : 'crash'
  return {
    kind,
    rows: 1 + random.below(1000),
    parts: 1 + random.below(3),
    milliseconds: random.isLikely(0.1) ? random.between(5_000, 25_000) : random.between(5, 200),
    // Many files have equal bytes: the file of another submission must never be used instead.
    padding: String(random.below(4)).repeat(random.isLikely(0.3) ? SMALL_BYTES : 1),
  }
}

const ERRORS_PER_PART = 2

/** The reports that an undisturbed validation stores. */
export function reportsOf({ kind, parts }: FileContent): PackedReports[] {
  if (kind !== 'rowErrors') return []
  return Array.from({ length: parts }, (_unused, part) => ({
    isFirst: part === 0,
    firstFaultNumber: part,
    faults: JSON.stringify([
      { columnPosition: 'A', label: 'Amount', error: `fault ${part}`, expected: 'a number' },
    ]),
    rows: Array.from({ length: ERRORS_PER_PART }, (_none, index) => ({
      rowNumber: 2 + part * ERRORS_PER_PART + index,
      key: '[]',
      totalCount: 1,
      errors: JSON.stringify([[part, `value ${index}`, 'a cause', null]]),
    })),
    causes: part === parts - 1 ? [{ place: 0, causeId: 'a cause', cause: '{}', rows: '[]' }] : [],
    warnings: [],
  }))
}

/** The verdict of an undisturbed validation. */
export function verdictOf({ kind, rows, parts }: FileContent): ValidationResult {
  if (kind === 'passed') return { kind, recordsCount: rows }
  if (kind === 'fileProblem')
    return {
      kind,
      problem: { errorType: ErrorType.Columns, message: `${rows} columns differ.`, details: [] },
    }
  const cells = parts * ERRORS_PER_PART
  return {
    kind: 'rowErrors',
    recordsCount: rows,
    errorRowCount: cells,
    cellErrorCount: cells,
    groups: [{ columnPosition: 'A', label: 'Amount', error: 'fault', count: cells }],
    causeCounts: [['a cause', cells]],
    causesCount: 1,
  }
}
