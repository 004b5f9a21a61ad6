import type { CauseKind } from '@veridict/contract/model/cause'

/** What seems to be wrong with a bad cell, before the rest of the file is known. */
export type Diagnosis = {
  readonly kind: CauseKind
  /** Tells a column's few diagnoses of a kind apart: a date format; '' for none. Cells are counted by it. */
  readonly detail: string
  /** Whether the cell belongs to a cause of whole rows. */
  readonly isOfRow: boolean
  /** The value that would be right whatever the other values of the column are; null where there is none. */
  readonly suggestion: string | null
  /**
   * Of a value with two meanings, between which the column decides: the day or the month first; a decimal
   * comma or one between thousands. null where one does not fit the rule.
   */
  readonly readings: Readings | null
  /** What the value proves about its column: a set of `Proof`. */
  readonly proves: number
}

export type Readings = readonly [first: string | null, second: string | null]

/** What a value can prove about its column, as bits. */
export const Proof = {
  /** Of dates with the same separator. */
  DayFirst: 1,
  MonthFirst: 2,
  DecimalComma: 4,
  DecimalPoint: 8,
  /** Points between thousands. */
  PointGroups: 64,
  /** A point that is surely a decimal one, in a number with too many decimals: 12.5, 0.500, 1234.000. */
  PointDecimals: 128,
  /** A date in the field's own form, but with day and month swapped. */
  SwappedOwn: 32,
  /** A number in a date column that is not the serial number of a likely day. */
  OtherNumber: 16,
  /** Where a year of two digits stands in dates of three numbers. */
  YearFirst: 256,
  YearLast: 512,
  /** The same of valid dates of the column. */
  OwnYearLast: 2048,
} as const

/** A cell without a suggestion. */
export const unresolved = (kind: CauseKind, detail = '', proves = 0): Diagnosis => ({
  kind,
  detail,
  isOfRow: false,
  suggestion: null,
  readings: null,
  proves,
})

/** A cell whose right value does not depend on the rest of the column. */
export const corrected = (
  kind: CauseKind,
  detail: string,
  suggestion: string | null,
  proves = 0,
): Diagnosis => ({ kind, detail, isOfRow: false, suggestion, readings: null, proves })

/** Whether the cell is to be emptied. One that its row lacks has nothing to lose. */
export const emptiesCell = ({ kind, suggestion }: Diagnosis): boolean =>
  suggestion === '' && kind !== 'shortRows'

/** A cell with two meanings; `suggestion` counts as long as the column does not decide between them. */
export const open = (
  kind: CauseKind,
  detail: string,
  suggestion: string | null,
  readings: Readings,
  proves: number,
): Diagnosis => ({ kind, detail, isOfRow: false, suggestion, readings, proves })
