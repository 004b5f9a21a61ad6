import { counted, writeCount } from '@veridict/contract/notation/count'
import { rowKeyText } from '@veridict/contract/messages/row-key'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { correctableOf } from '@veridict/contract/model/cause'
import {
  ErrorType,
  type ColumnDifference,
  type FileProblem,
  fileProblemText,
  type Verdict,
  type Warnings,
} from '@veridict/contract/model/verdict'
import { maxFirstCauses } from '@veridict/contract/model/first-causes'
import { causeLines, linesOfCause } from '#print/cause-lines.ts'
import { type Paint, painterOf } from '#print/painter.ts'
import { cutText, printable } from '#print/print.ts'

/** A verdict for people; colours only where `stream` is a terminal that shows them. */
export function verdictAsText(verdict: Verdict, fileName: string, stream: NodeJS.WriteStream): string {
  const paint = painterOf(stream)
  const lines = linesOf(verdict, printable(fileName), paint)
  return lines.map((line) => `${line}\n`).join('')
}

function linesOf(verdict: Verdict, file: string, paint: Paint): string[] {
  switch (verdict.kind) {
    case 'passed':
      return [
        `${paint('green', 'Passed')}: ${file}, ${counted(verdict.recordsCount, 'record')}.`,
        ...warningLines(verdict.warnings, paint),
      ]
    case 'fileProblem':
      return [`${paint('red', 'Not passed')}: ${file}`, ...problemLines(verdict.problem, paint)]
    case 'rowErrors':
      return rowErrorLines(verdict, file, paint)
  }
}

/** Differences between columns are a table; other problems are one text. */
function problemLines(problem: FileProblem, paint: Paint): string[] {
  const { errorType, message, details, hints = [], columns = [], causes = [] } = problem
  const canCorrect = causes.some((cause) => correctableOf(cause) !== 'no')
  const copy = canCorrect ? ['', 'A copy can correct this: see veridict correct.'] : []
  if (columns.length === 0) return [printable(fileProblemText(problem)), ...copy]
  // The table contains the details; only the expected order is missing.
  const sentences = [message, ...(errorType === ErrorType.ColumnOrder ? details : []), ...hints]
  return [...sentences.map(printable), '', ...columnLines(columns, paint), ...copy]
}

/** Longest name in a cell of the table. */
const MAX_NAME = 40

function columnLines(columns: readonly ColumnDifference[], paint: Paint): string[] {
  const short = (name: string | null) => (name === null ? '-' : cutText(`"${printable(name)}"`, MAX_NAME))
  const cells = columns.map(({ position, expected, found, note }) => [
    position,
    short(expected),
    short(found),
    printable(note),
  ])
  const headings = ['Col.', 'Expected', 'Found', 'What to do']
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...cells.map((line) => line[index].length)),
  )
  const lineOf = (line: readonly string[]) =>
    `  ${line.map((cell, index) => cell.padEnd(widths[index])).join('  ')}`.trimEnd()
  return [paint('bold', lineOf(headings)), ...cells.map(lineOf)]
}

function rowErrorLines(verdict: Verdict & { kind: 'rowErrors' }, file: string, paint: Paint): string[] {
  const { errorRowCount, rows, causes } = verdict
  const isCut = rows.length < errorRowCount
  return [
    errorCountsLine(verdict, file, paint),
    ...rows.flatMap((row) => rowLines(row, paint)),
    ...(isCut ? ['', `${firstRows(rows.length)}; --all shows all of them, --errors writes a workbook.`] : []),
    '',
    // Below the rows: a terminal shows the end of what was printed.
    ...causeLines({ ...verdict, causesCount: causes.length }, paint),
    ...warningLines(verdict.warnings, paint),
  ]
}

type ShownWarnings = { [Key in 'warningCount' | 'warningRowCount']: number | null } & Pick<Warnings, 'causes'>

export function warningLines(warnings: ShownWarnings | undefined, paint: Paint): string[] {
  if (!warnings?.warningCount || !warnings.warningRowCount) return []
  const { warningCount, warningRowCount, causes } = warnings
  return [
    '',
    paint('bold', `${counted(warningCount, 'warning')} in ${counted(warningRowCount, 'row')}`),
    ...causes.slice(0, maxFirstCauses).flatMap((cause) => linesOfCause(cause, paint)),
  ]
}

export function errorCountsLine(
  counts: { recordsCount: number; errorRowCount: number; cellErrorCount: number },
  file: string,
  paint: Paint,
): string {
  const { recordsCount, errorRowCount, cellErrorCount } = counts
  const rowCount = `${counted(errorRowCount, 'row')} of ${writeCount(recordsCount)} with errors`
  return `${paint('red', 'Not passed')}: ${file}, ${rowCount}, ${counted(cellErrorCount, 'bad cell')}.`
}

function rowLines({ rowNumber, key, columnValidationErrors }: RowReport, paint: Paint): string[] {
  const keyText = key.length === 0 ? '' : `  ${printable(key.map(rowKeyText).join(', '))}`
  return [
    '',
    paint('bold', `Row ${rowNumber}`) + keyText,
    ...columnValidationErrors.flatMap((error) => errorLines(error, paint)),
  ]
}

function errorLines({ columnPosition, label, error, value, expected }: CellError, paint: Paint): string[] {
  const place = `${columnPosition} ${printable(label)}`.trim()
  const found = value === '' ? '' : ` Found: ${printable(value)}`
  return [
    `  ${place}: ${paint('red', printable(error))}${found}`,
    paint('dim', `     Expected: ${printable(expected)}`),
  ]
}

const firstRows = (count: number) => `These are the first ${writeCount(count)} rows`
