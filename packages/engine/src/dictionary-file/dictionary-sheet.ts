import { columnsOf, furtherColumn, type SheetLayout } from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey, tidyLabel } from '@veridict/contract/notation/label'
import { NearestOption } from '#likeness/nearest-option.ts'
import type { SourceRow } from '#source/table-source.ts'

/** The places of the columns in a sheet, zero-based; several of one that continues. */
type HeadingPlaces<Column extends string> = ReadonlyMap<Column, readonly number[]>

/** In any order. Each heading that is missing, unknown or a duplicate is reported; then null is returned. */
export function readHeadings<Column extends string>(
  header: readonly string[],
  layout: SheetLayout<Column>,
  report: (problem: string) => void,
): HeadingPlaces<Column> | null {
  const problems: string[] = []
  const places = new Map<Column, number[]>()
  const headingOf = (column: Column) => layout.columns[column].heading
  for (const [position, heading] of header.entries()) {
    const key = labelKey(heading)
    const column = columnsOf(layout).find((one) => labelKey(headingOf(one)) === key)
    const further = layout.continued.find((one) => isFurther(key, headingOf(one)))
    const known = column ?? further
    if (known === undefined)
      problems.push(unknownHeading(position, heading, columnsOf(layout).map(headingOf)))
    else if (column !== undefined && places.has(column))
      problems.push(messages.headingDuplicate(columnLetter(position), tidyLabel(heading)))
    else places.set(known, [...(places.get(known) ?? []), position])
  }
  for (const column of layout.needed)
    if (!places.has(column)) problems.push(messages.headingMissing(headingOf(column)))
  problems.forEach(report)
  return problems.length === 0 ? places : null
}

/** Whether a heading continues the column of another one. */
const isFurther = (key: string, heading: string): boolean =>
  key.replace(/ \d+$/, ' 2') === labelKey(furtherColumn(heading, 2))

function unknownHeading(position: number, heading: string, headings: readonly string[]): string {
  const nearest = new NearestOption(headings).to(tidyLabel(heading))
  return messages.headingUnknown(columnLetter(position), tidyLabel(heading), nearest)
}

export type SheetRow<Column extends string> = {
  readonly rowNumber: number
  /** The cells of a column, as in the file. */
  parts(column: Column): string[]
  text(column: Column): string
  /** `column` may be one that the sheet does not have. */
  report(column: string | undefined, problem: string): void
}

export function sheetRow<Column extends string>(
  { rowNumber, cells }: SourceRow,
  places: HeadingPlaces<Column>,
  layout: SheetLayout<Column>,
  report: (problem: string) => void,
): SheetRow<Column> {
  const parts = (column: Column) => (places.get(column) ?? []).map((position) => cells[position] ?? '')
  return {
    rowNumber,
    parts,
    text: (column) => parts(column).join(''),
    report(column, problem) {
      const known = columnsOf(layout).find((one) => one === column) ?? layout.needed[0]
      report(messages.at(rowNumber, layout.columns[known].heading, problem))
    },
  }
}
