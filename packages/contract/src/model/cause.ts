import type sentences from '#messages/cause-sentences/sentences.json'
import type { structureSentences } from '#messages/structure.ts'
import type { RowReport } from '#model/cell-error.ts'
import type { Severity } from '#model/row-rule.ts'

/** What kind of cause: what is wrong with the cells; a name with a slash is a variant. Ours. */
export type CauseKind = Exclude<keyof (typeof sentences)['kinds'], `${string}/${string}`>

/** What is wrong with the structure of a table, and a copy can correct, by what the copy changes. Ours. */
export type StructureKind = keyof typeof structureSentences

/**
 * Why cells of one column, or whole rows, are bad: a mistake that a person corrects in one step. Every bad
 * cell has exactly one cause, so the `cells` of all causes of a file add up to its bad cells.
 */
export type Cause = {
  /** Equal for the same file and dictionary. Its characters need no escape in a URL. */
  id: string
  /** A short constant name, such as `required` or `dateFormat`; `rule` for a rule between cells. */
  kind: string
  /** The name of the rule between cells. Absent, in replies null, for other causes. */
  rule?: string | null
  /** Absent only for errors. */
  severity?: Severity
  /** The letters of the column; null for a cause of whole rows, like `label`. */
  columnPosition: string | null
  /** The field's name. */
  label: string | null
  /** What is wrong with these cells, a sentence. */
  message: string
  /** What to do about it in a spreadsheet, a sentence. */
  advice: string
  cells: number
  rows: number
  /** The number of the first row, as a spreadsheet shows it. */
  firstRow: number
  /** How many of the cells have a suggestion. */
  suggestions: number
  /**
   * Whether a copy can correct it: surely, once a person has answered `question`, or not. Absent for causes
   * of cells, of which a copy corrects those that have a suggestion.
   */
  correctable?: 'yes' | 'choice' | 'no'
  /** For a choice: a sentence that ends with a question mark, and what it may be answered with. */
  question?: string
  choices?: CauseChoice[]
  /** For a choice that is made for each of several texts: these texts, in as many cells. */
  values?: AskedValue[]
  /**
   * Valid dates of the column that have day and month swapped as well: no error names them, and a corrected
   * copy swaps them back with the cells of the cause. Absent if there are none.
   */
  passed?: number
  /** The first different values of the cause, or its most frequent ones. */
  examples: CauseExample[]
}

/** A text that is asked about; of a heading also values of its column, and the field that it may be. */
export type AskedValue = { value: string; cells: number; samples?: string[]; likely?: string }

/** An answer to the question of a cause, and what it would do to some values. */
export type CauseChoice = {
  value: string
  label: string
  /** How many cells it would correct. */
  suggestions: number
  examples?: { value: string; suggestion: string }[]
}

/** Whether a copy can correct a cause. */
export const correctableOf = ({ correctable, suggestions }: Cause): 'yes' | 'choice' | 'no' =>
  correctable ?? (suggestions > 0 ? 'yes' : 'no')

/** Whether it is one of the structure, by its id: the causes below it are found once it is corrected. */
export const isOfStructure = (id: string): boolean => /^(?:table|rows)\./.test(id)

/** The causes of a file whose structure is corrected as it is chosen. */
export type CausesBelow = {
  /** Those that were corrected. */
  corrected: readonly Cause[]
  causes: readonly Cause[]
  /** null where its structure still is not right, so that no cells were checked. */
  cellErrorCount: number | null
}

/** A cause with the members that replies and JSON always have. */
export const jsonCause = ({ severity, rule, ...cause }: Cause) => ({
  ...cause,
  correctable: correctableOf(cause),
  severity: severity ?? ('error' as const),
  rule: rule ?? null,
})

/** A report with its causes of errors only, and those of warnings apart. */
export function splitCauses<R extends { causes: Cause[]; causesCount: number }>(report: R) {
  const { error: causes = [], warning: warnings = [] } = Object.groupBy(
    report.causes,
    ({ severity = 'error' }) => severity,
  )
  return { report: { ...report, causes, causesCount: report.causesCount - warnings.length }, warnings }
}

export type CauseExample = {
  rowNumber: number
  /** The name of the value's column, for a cause of whole rows. */
  label?: string
  /** Cut at `errorScreenLimits.maxValueLength`. */
  value: string
  /** The value that would be right; null if none is nearly certain. '' is a suggestion: an empty cell. */
  suggestion: string | null
  /** How many cells of the cause have this value; null if they were not counted by value. */
  count: number | null
}

/**
 * The examples that a list of causes shows: two are enough to show a change; where values are counted, the
 * three most frequent ones. An empty cell needs no example. Of whole rows, the values of the first one show
 * what is wrong.
 */
export const shownExamples = ({ examples, columnPosition, firstRow }: Cause): CauseExample[] =>
  columnPosition === null
    ? examples.filter(({ rowNumber }) => rowNumber === firstRow)
    : examples
        .filter(({ value, suggestion }) => value !== (suggestion ?? ''))
        .slice(0, examples.some(({ count }) => count !== null) ? 3 : 2)

/**
 * The first rows of a cause, `errorScreenLimits.maxRowsPerCause` at most. Of each row only the errors of this
 * cause; `totalCount` is their number.
 */
export type CauseRows = { cause: string; rows: RowReport[] }
