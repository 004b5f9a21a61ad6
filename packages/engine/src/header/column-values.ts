import type { ColumnCheck } from '#compile/column-check.ts'
import type { ReadEvidence, ValueEvidence } from '#header/pair-columns.ts'
import type { SourceRow } from '#source/table-source.ts'

/** With fewer values nothing is concluded. */
const MIN_VALUES = 3
/** How many different options of a list a column must have: Yes and No are the values of many columns. */
const MIN_OPTIONS = 3

/** A value that is not blank, trimmed. `isMoment`: a true date or time of a workbook. */
export type ColumnValue = { readonly text: string; readonly isMoment: boolean }

/** The values of each column of the table, without blank ones. `firstColumn` is where the table begins. */
export function columnValues(
  rows: readonly SourceRow[],
  width: number,
  firstColumn: number,
): readonly (readonly ColumnValue[])[] {
  return Array.from({ length: width }, (_, index) => {
    const column = firstColumn + index
    return rows.flatMap(({ cells, kinds }) => {
      const text = cells[column]?.trim() ?? ''
      return text === '' ? [] : [{ text, isMoment: kinds?.[column] === 'moment' }]
    })
  })
}

/** Whether a value fits a field. A true date fits a date field however it is displayed. */
export const fits = ({ field, check }: ColumnCheck, { text, isMoment }: ColumnValue): boolean =>
  isMoment && field?.rule.type === 'date' ? true : check(text) === null

/** `checks` are those of the fields, in their order. */
export function readEvidenceIn(
  values: readonly (readonly ColumnValue[])[],
  checks: readonly ColumnCheck[],
): ReadEvidence {
  const counts = new Map<number, number>()
  const columnsThatFit = (field: number) => {
    const known = counts.get(field)
    if (known !== undefined) return known
    const count = values.filter(
      (ofColumn) => ofColumn.length > 0 && ofColumn.every((value) => fits(checks[field], value)),
    ).length
    counts.set(field, count)
    return count
  }
  return (column, field): ValueEvidence => {
    const own = values[column]
    const misfits = own.filter((value) => !fits(checks[field], value)).length
    if (misfits > 0) return misfits * 2 > own.length ? 'misfit' : 'open'
    const rule = checks[field].field?.rule
    // Nearly every value fits a text field, and every number fits a number field without bounds.
    const isTelling =
      rule !== undefined &&
      rule.type !== 'text' &&
      (rule.type !== 'number' || (rule.minimum !== undefined && rule.maximum !== undefined))
    if (!isTelling || own.length < MIN_VALUES || columnsThatFit(field) > 1) return 'open'
    const options = new Set(own.map(({ text }) => text))
    return rule.type === 'list' && options.size >= MIN_OPTIONS ? 'proof' : 'fit'
  }
}
