import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { Field } from '@veridict/contract/model/field'
import type { FileProblem } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { tidyLabel } from '@veridict/contract/notation/label'
import { compareHeader, type HeaderDifference } from '#header/compare-header.ts'
import type { TableSource } from '#source/table-source.ts'

/**
 * Differences that are told one by one. The wrong file differs everywhere, and twenty sentences say that well
 * enough.
 */
const MAX_DIFFERENCES = 20
/**
 * The longest label that is quoted whole, in characters: where a header is missing, anything may stand in its
 * place.
 */
const MAX_QUOTED = 80

/**
 * Whether the columns of a file are those of the dictionary: null where they are, else error type 1 (columns
 * missing, unexpected, doubled or blank, each named with its place and the nearest name) or 2 (the right
 * columns in another order). Decisions, "Error types".
 */
export function checkHeader(
  table: Pick<TableSource, 'header' | 'firstColumn' | 'sheets' | 'terminators'>,
  fields: readonly Field[],
): FileProblem | null {
  const differences = compareHeader(table.header, fields, table.firstColumn)
  if (differences.length === 0) return null
  if (differences[0].kind === 'moved') {
    return {
      errorType: ErrorType.ColumnOrder,
      message: differenceSentence(differences[0]),
      details: [fileProblemMessages.orderExpected(fields.map(({ name }) => name)), ...hints(table, fields)],
    }
  }
  return {
    errorType: ErrorType.Columns,
    message: fileProblemMessages.columnsLead,
    details: [
      ...differences.slice(0, MAX_DIFFERENCES).map(differenceSentence),
      ...more(differences),
      ...hints(table, fields),
    ],
  }
}

/** A difference in words: in the message about a file, and in the notes of its marked header. */
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
    case 'doubled':
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

function quoted(label: string): string {
  const tidy = tidyLabel(label)
  const characters = [...tidy]
  return characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED).join('')}…` : tidy
}

/** What the file was taken for, where that may be the cause. */
function hints(
  {
    header,
    firstColumn,
    sheets,
    terminators,
  }: Pick<TableSource, 'header' | 'firstColumn' | 'sheets' | 'terminators'>,
  fields: readonly Field[],
): string[] {
  if (sheets !== undefined && sheets.others.length > 0)
    return [fileProblemMessages.otherSheets(sheets.read, sheets.others)]
  if (terminators.kind === 'csv' && header.length - firstColumn === 1 && fields.length > 1) {
    return [fileProblemMessages.delimiterHint(delimiterName(terminators.delimiter))]
  }
  return []
}

function delimiterName(delimiter: number): string {
  return delimiter === 0x09 ? 'tabs' : `"${String.fromCharCode(delimiter)}"`
}
