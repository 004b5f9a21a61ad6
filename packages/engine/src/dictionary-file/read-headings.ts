import {
  type DictionaryColumn,
  dictionaryColumns,
  furtherOptionsColumn,
} from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey, tidyLabel } from '@veridict/contract/notation/label'
import { NearestOption } from '#likeness/nearest-option.ts'

/** The places of the columns in a dictionary's sheet, zero-based. A list may continue in further columns. */
export type HeadingPlaces = { columns: Partial<Record<DictionaryColumn, number>>; options: readonly number[] }

/** Any other column may be left out. */
const INDISPENSABLE: readonly DictionaryColumn[] = ['name', 'type']

const names = Object.entries(dictionaryColumns) as [DictionaryColumn, string][]
const FURTHER_OPTIONS = new RegExp(`^${labelKey(furtherOptionsColumn(2)).replace('2', '\\d+')}$`)

/**
 * Finds the columns by their headings, in any order; every heading that is missing, unknown or a duplicate
 * is a problem.
 */
export function readHeadings(header: readonly string[], problems: string[]): HeadingPlaces {
  const columns: Partial<Record<DictionaryColumn, number>> = {}
  const options: number[] = []
  for (const [position, heading] of header.entries()) {
    const key = labelKey(heading)
    const column = names.find(([, name]) => labelKey(name) === key)?.[0]
    if (column !== undefined && columns[column] === undefined) columns[column] = position
    else if (column !== undefined)
      problems.push(messages.headingDuplicate(columnLetter(position), tidyLabel(heading)))
    else if (!FURTHER_OPTIONS.test(key)) problems.push(unknownHeading(position, heading))
    if (column === 'options' || FURTHER_OPTIONS.test(key)) options.push(position)
  }
  for (const column of INDISPENSABLE)
    if (columns[column] === undefined) problems.push(messages.headingMissing(dictionaryColumns[column]))
  return { columns, options }
}

function unknownHeading(position: number, heading: string): string {
  const nearest = new NearestOption(Object.values(dictionaryColumns)).to(tidyLabel(heading))
  return messages.headingUnknown(columnLetter(position), tidyLabel(heading), nearest)
}
