import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType, type FileProblem } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { tidyLabel } from '@veridict/contract/notation/label'
import { compareHeader, type HeaderDifference } from '#header/compare-header.ts'
import type { TableSource } from '#source/table-source.ts'

/**
 * How many differences are named one by one. A wrong file differs everywhere; twenty are enough to show that.
 */
const MAX_DIFFERENCES = 20
/** The longest label that is quoted whole, in characters: without a header, labels are data of any length. */
const MAX_QUOTED = 80

/**
 * Compares the columns of a file with the dictionary. Returns null if they are the same, else error type 1
 * (columns missing, unexpected, duplicate or blank, each with its place and the nearest name) or 2 (the right
 * columns in another order). See docs/BEHAVIOUR.md#header.
 */
export function checkHeader(
  table: Pick<TableSource, 'header' | 'firstColumn' | 'terminators'>,
  fields: readonly Field[],
): FileProblem | null {
  const differences = compareHeader(table.header, fields, table.firstColumn)
  if (differences.length === 0) return null
  if (differences[0].kind === 'moved') {
    return {
      errorType: ErrorType.ColumnOrder,
      message: differenceSentence(differences[0]),
      details: [fileProblemMessages.orderExpected(fields.map(({ name }) => name))],
      hints: readingHints(table, fields),
    }
  }
  return {
    errorType: ErrorType.Columns,
    message: fileProblemMessages.columnsLead,
    details: [...differences.slice(0, MAX_DIFFERENCES).map(differenceSentence), ...more(differences)],
    hints: readingHints(table, fields),
  }
}

/** A difference as a sentence, for the file problem and for the notes in a Highlighted workbook. */
export function differenceSentence(difference: HeaderDifference): string {
  switch (difference.kind) {
    case 'missing':
      return fileProblemMessages.columnMissing(columnLetter(difference.position), difference.expected)
    case 'unexpected':
      return fileProblemMessages.columnUnexpected(
        columnLetter(difference.position),
        quoted(difference.found),
        difference.nearest,
      )
    case 'blank':
      return fileProblemMessages.columnBlank(columnLetter(difference.position))
    case 'duplicate':
      return fileProblemMessages.columnDuplicate(
        quoted(difference.found),
        difference.positions.map(columnLetter),
      )
    case 'moved':
      return fileProblemMessages.orderLead(
        columnLetter(difference.position),
        quoted(difference.found),
        difference.expected,
      )
  }
}

function more(differences: readonly HeaderDifference[]): string[] {
  const count = differences.length - MAX_DIFFERENCES
  return count > 0 ? [fileProblemMessages.moreDifferences(count)] : []
}

/** A label as it is shown. */
export function quoted(label: string): string {
  const tidy = tidyLabel(label)
  const characters = [...tidy]
  return characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED).join('')}…` : tidy
}

/** How the file was read, if that may be the cause. */
function readingHints(
  { header, firstColumn, terminators }: Pick<TableSource, 'header' | 'firstColumn' | 'terminators'>,
  fields: readonly Field[],
): string[] {
  if (terminators.kind !== 'csv' || header.length - firstColumn !== 1 || fields.length === 1) return []
  return [fileProblemMessages.delimiterHint(delimiterName(terminators.delimiter))]
}

function delimiterName(delimiter: number): string {
  return delimiter === 0x09 ? 'tabs' : `"${String.fromCharCode(delimiter)}"`
}
