import type { CauseExample, CauseKind } from '#model/cause.ts'
import type { Remedies } from '#messages/cause-sentences/remedies.ts'
import type { Field } from '#model/field.ts'

/** What is known of a cause, for its sentences. */
export type CauseFacts = {
  kind: CauseKind
  /** A date format, a unit or a currency, by kind; 'both' or 'mixed' where the column contradicts itself. */
  detail: string
  /** The field's name; '' for whole rows and cells beyond the header. */
  label: string
  /** The names of swapped columns; none for other causes. */
  labels: readonly string[]
  field: Field | null
  /** What would be right, a sentence without a full stop. */
  expected: string
  cells: number
  rows: number
  firstRow: number
  /** Rows of the file. */
  recordsCount: number
  /** Cells that have a suggestion. */
  suggestions: number
  /** Further values of the column that pass with a wrong meaning. */
  passed: number
  /** Whether these are dates that a spreadsheet made of texts, with day and month swapped. */
  isMisread: boolean
  /** For texts, the shortest and longest length, and the beginning and end that all have in common. */
  extent: { shortest: number; longest: number; prefix: string; suffix: string } | null
  examples: readonly CauseExample[]
  /** What makes the suggestions of all cells; null without suggestions. */
  remedies: Remedies | null
}
