import { z } from 'zod'

/** What is wrong with a file, in calls. The types in `model` leave out what is null or empty here. */

export const columnError = z.object({
  /** Letters as a spreadsheet shows them: A, Z, AA. */
  columnPosition: z.string(),
  label: z.string(),
  error: z.string(),
  /** The cell's text as in the file, cut at `errorScreenLimits.maxValueLength`. */
  value: z.string(),
  expected: z.string(),
  /** The id of its cause; null in reports that are older than causes. */
  cause: z.string().nullable(),
  /** The value that would be right; null if none is nearly certain. '' is a suggestion: an empty cell. */
  suggestion: z.string().nullable(),
  /** The name of the rule between cells that it breaks; null for an error of the cell. */
  rule: z.string().nullable(),
  /** The letters of all cells that the rule's condition and this test name, in the order of the file. */
  columns: z.array(z.string()),
})

export const rowReport = z.object({
  /** As a spreadsheet shows it: the header is 1, the first record 2. */
  rowNumber: z.int(),
  /** The texts of the fields that identify the row, in the order of the fields; cut like values. */
  key: z.array(z.object({ label: z.string(), value: z.string() })),
  totalCount: z.int(),
  columnValidationErrors: z.array(columnError),
})

/** An answer to the question of a cause, and what it would do to some values. */
const causeChoice = z.object({
  value: z.string(),
  label: z.string(),
  /** How many cells it would correct. */
  suggestions: z.int(),
  examples: z.array(z.object({ value: z.string(), suggestion: z.string() })).optional(),
})

const causeExample = z.object({
  rowNumber: z.int(),
  /** The name of the value's column, for a cause of whole rows. */
  label: z.string().optional(),
  /** Cut at `errorScreenLimits.maxValueLength`. */
  value: z.string(),
  /** As in `columnError`. */
  suggestion: z.string().nullable(),
  /** How many cells of the cause have this value; null if they were not counted by value. */
  count: z.int().nullable(),
})

/** A mistake corrected in one step. Each bad cell has one cause: the `cells` add up to all bad cells. */
export const cause = z.object({
  /** Equal for the same file and dictionary. Its characters need no escape in a URL. */
  id: z.string(),
  /** A short constant name, such as `required` or `dateFormat`; `rule` for a rule between cells. */
  kind: z.string(),
  severity: z.enum(['error', 'warning']),
  /** The name of the rule between cells; null for other causes. */
  rule: z.string().nullable(),
  /** The letters of the column; null for a cause of whole rows, like `label`. */
  columnPosition: z.string().nullable(),
  label: z.string().nullable(),
  /** What is wrong with these cells, and what to do about it in a spreadsheet: a sentence each. */
  message: z.string(),
  advice: z.string(),
  cells: z.int(),
  rows: z.int(),
  /** The number of the first row, as a spreadsheet shows it. */
  firstRow: z.int(),
  /** How many of the cells have a suggestion. */
  suggestions: z.int(),
  /** Whether a copy can correct it: surely, once a person has answered `question`, or not. */
  correctable: z.enum(['yes', 'choice', 'no']),
  /** For a choice: a sentence that ends with a question mark, and what it may be answered with. */
  question: z.string().optional(),
  choices: z.array(causeChoice).optional(),
  /** Where each of several texts needs a choice: the texts, and `likely`, the field that a heading may be. */
  values: z.array(z.object({ value: z.string(), cells: z.int(), likely: z.string().optional() })).optional(),
  /** What the company wants to have chosen at first; of several texts the choice of each. */
  remembered: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  /**
   * Valid dates of the column that have day and month swapped as well: no error names them, but a corrected
   * copy swaps them back. Absent if there are none.
   */
  passed: z.int().optional(),
  /** The first different values of the cause, or its most frequent ones. */
  examples: z.array(causeExample),
})

/**
 * `position` in letters: where the column is in the file, or where a missing one belongs. `expected` is null
 * for a column that the dictionary lacks, `found` for one that the file lacks; both are names where one
 * stands for the other.
 */
export const columnDifference = z.object({
  position: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  note: z.string(),
})
