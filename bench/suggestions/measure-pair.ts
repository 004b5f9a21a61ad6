import { columnIndex } from '@veridict/contract/notation/column-letter'
import { validateTable } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import type { Pair } from './pairs.ts'

/** How good the suggestions for one kind of cause are. Counts of bad cells. */
export type Score = {
  badCells: number
  /** Bad cells whose clean value is another one, so that a suggestion could be right. */
  correctable: number
  suggestions: number
  right: number
}

const noScore = (): Score => ({ badCells: 0, correctable: 0, suggestions: 0, right: 0 })

/** A suggestion that is not the clean value. */
export type Miss = { kind: string; label: string; dirty: string; suggestion: string; clean: string }
export type Measured = { scores: Map<string, Score>; misses: Miss[] }

/**
 * Compares each suggestion with the clean cell: trimmed, and in columns of numbers as numbers, because 12.50
 * and 12.5 mean the same. Adds to the misses, and to the scores by the kinds of causes.
 */
export async function measurePair(
  { name, fields, dirty, clean }: Pair,
  nameOf: (kind: string) => string,
  { scores, misses }: Measured,
): Promise<void> {
  const verdict = await validateTable({
    source: bytesSource(new TextEncoder().encode(csvOf([fields.map((field) => field.name), ...dirty]))),
    fileName: `${name}.csv`,
    fields,
    platform: nodePlatform(),
    maxErrorRows: Infinity,
  })
  if (verdict.kind === 'fileProblem') throw new Error(`${name}: ${verdict.problem.message}`)
  if (verdict.kind === 'passed') return
  const kinds = new Map(verdict.causes.map(({ id, kind }) => [id, kind]))
  for (const { rowNumber, columnValidationErrors } of verdict.rows)
    for (const { columnPosition, label, cause, suggestion, value } of columnValidationErrors) {
      const kind = kinds.get(cause) ?? 'unknown'
      const right = clean[rowNumber - 2][columnIndex(columnPosition)]?.trim() ?? ''
      const score = scores.get(nameOf(kind)) ?? noScore()
      scores.set(nameOf(kind), score)
      score.badCells++
      if (right !== value.trim()) score.correctable++
      if (suggestion === null) continue
      score.suggestions++
      const isNumber = fields[columnIndex(columnPosition)]?.rule.type === 'number'
      if (suggestion === right || (isNumber && suggestion !== '' && Number(suggestion) === Number(right)))
        score.right++
      else misses.push({ kind, label, dirty: value, suggestion, clean: right })
    }
}

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')

/** Every cell is quoted: a blank row would otherwise not be a row. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
