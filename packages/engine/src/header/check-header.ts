import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType, type FileProblem } from '@veridict/contract/model/verdict'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { tidyLabel } from '@veridict/contract/notation/label'
import { missingFields, pairColumns, type Sides, sidesOf } from '#header/pair-columns.ts'
import { NearestOption } from '#likeness/nearest-option.ts'
import type { TableSource } from '#source/table-source.ts'

/** A wrong file differs everywhere; twenty differences named one by one are enough to show that. */
const MAX_DIFFERENCES = 20
/** The longest label that is quoted whole, in characters: without a header, labels are data of any length. */
const MAX_QUOTED = 80

type Table = Pick<TableSource, 'header' | 'firstColumn'>

/**
 * null if nothing is wrong, else error type 1 (columns missing, unexpected, duplicate or blank, each with its
 * place and the nearest name) or 2 (the right columns in another order). See docs/BEHAVIOUR.md#header.
 */
export function checkHeader(
  table: Table & Pick<TableSource, 'terminators'>,
  fields: readonly Field[],
): FileProblem | null {
  const differences = compareHeader(table, fields)
  if (differences.length === 0) return null
  const hints = readingHints(table, fields)
  if (differences[0].isOrder) {
    const details = [fileProblemMessages.orderExpected(fields.map(({ name }) => name))]
    return { errorType: ErrorType.ColumnOrder, message: differences[0].sentence, details, hints }
  }
  const sentences = differences.slice(0, MAX_DIFFERENCES).map(({ sentence }) => sentence)
  return {
    errorType: ErrorType.Columns,
    message: fileProblemMessages.columnsLead,
    details: [...sentences, ...more(differences)],
    hints,
  }
}

/** `positions` are columns of the file, zero-based; that of a missing column is where it is expected. */
type HeaderDifference = {
  readonly positions: readonly number[]
  /** For the file problem and for the notes in a Highlighted workbook. */
  readonly sentence: string
  /** A column in the place of another one, where all are right. */
  readonly isOrder?: boolean
}

/**
 * Compared by `labelKey`: every field must be there, nothing else, and in this order. `header` begins at
 * column A, without blank labels at its end; the table begins at `firstColumn`. What is missing comes last;
 * moved columns are reported only if nothing else is wrong. See docs/BEHAVIOUR.md#header.
 */
export function compareHeader({ header, firstColumn }: Table, fields: readonly Field[]): HeaderDifference[] {
  const sides = sidesOf(header.slice(firstColumn), fields)
  if (JSON.stringify(sides.labelKeys) === JSON.stringify(sides.fieldKeys)) return []
  const differences = [...wrongLabels(sides, firstColumn), ...missingDifferences(sides, firstColumn)]
  return differences.length > 0 ? differences : movedLabels(sides, firstColumn)
}

/** Labels that are blank, duplicate, or not the name of a field. */
function* wrongLabels(sides: Sides, firstColumn: number): Iterable<HeaderDifference> {
  const { labels, labelKeys, fields, fieldKeys } = sides
  const known = new Set(fieldKeys)
  const places = Map.groupBy(labelKeys.keys(), (column) => labelKeys[column])
  const pairs = pairColumns(sides)
  const paired = new Set([...pairs.values()].map(({ field }) => field))
  const others = new NearestOption(
    missingFields(sides)
      .filter((field) => !paired.has(field))
      .map((field) => fields[field].name),
  )
  const nearest = (column: number) => {
    const pair = pairs.get(column)
    return pair?.by === 'name' ? fields[pair.field].name : others.to(labelKeys[column])
  }
  const { columnBlank, columnDuplicate, columnUnexpected } = fileProblemMessages
  for (const [column, key] of labelKeys.entries()) {
    const position = firstColumn + column
    const letter = columnLetter(position)
    const columns = places.get(key)!
    const found = quoted(labels[column])
    if (key === '') yield { positions: [position], sentence: columnBlank(letter) }
    else if (columns[0] === column) {
      const positions = columns.map((one) => firstColumn + one)
      if (columns.length > 1)
        yield { positions, sentence: columnDuplicate(found, positions.map(columnLetter)) }
      if (!known.has(key))
        yield { positions: [position], sentence: columnUnexpected(letter, found, nearest(column)) }
    }
  }
}

const missingDifferences = (sides: Sides, firstColumn: number): HeaderDifference[] =>
  missingFields(sides).map((field) => {
    const position = firstColumn + field
    const { name } = sides.fields[field]
    return {
      positions: [position],
      sentence: fileProblemMessages.columnMissing(columnLetter(position), name),
    }
  })

const movedLabels = (
  { labels, labelKeys, fields, fieldKeys }: Sides,
  firstColumn: number,
): HeaderDifference[] =>
  fields.flatMap(({ name }, index) => {
    if (labelKeys[index] === fieldKeys[index]) return []
    const position = firstColumn + index
    const sentence = fileProblemMessages.orderLead(columnLetter(position), quoted(labels[index]), name)
    return [{ positions: [position], sentence, isOrder: true }]
  })

function more(differences: readonly HeaderDifference[]): string[] {
  const count = differences.length - MAX_DIFFERENCES
  return count > 0 ? [fileProblemMessages.moreDifferences(count)] : []
}

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
