import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import type { ByteAccept, CellCheck } from '#fast-path/fast-path.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'

/** A field compiled for one file. */
export type ColumnCheck = Pick<
  CompiledRule,
  'describe' | 'mayFitRewritten' | 'withSeparators' | 'prefix' | 'listMeaning'
> & {
  /** null for a column left of the table, which must be empty. */
  readonly field: Field | null
  readonly accept: ByteAccept
  /**
   * CSV only: `accept` for the inside of a quoted cell, from after the opening quote to the closing one. A
   * rule that ignores quotes may end at the first of an escaped pair: the caller must check the next byte.
   */
  readonly acceptQuoted: ByteAccept
  /** What would be right: one sentence for all faults of the column. */
  readonly expected: string
  /** The reference, on raw text: trims, checks whether the cell may be blank, then applies the rule. */
  readonly check: CellCheck
  /** Whole texts, trimmed and composed, that count as blank; absent if there are none. */
  readonly blankTexts?: ReadonlySet<string>
  /**
   * A date column accepts a true date however it is displayed; other rules check it as text, yyyy-MM-dd. With
   * a time of day it goes to `check` as text: the day in the field's format, a space, HH:mm:ss.
   */
  readonly checkDay: (year: number, month: number, day: number) => CellFault | null
}

/** The first column of the table, zero-based. */
export const firstColumnOf = (columns: readonly ColumnCheck[]): number =>
  columns.filter(({ field }) => field === null).length

/** The columns whose fields identify the row, in order. */
export const keyColumnsOf = (columns: readonly ColumnCheck[]): readonly number[] =>
  columns.flatMap(({ field }, column) => (field?.identifiesRow === true ? [column] : []))

export const widthOf = (columns: readonly ColumnCheck[]): number => columns.length - firstColumnOf(columns)
