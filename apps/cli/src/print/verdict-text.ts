import { styleText } from 'node:util'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { reportMessages as texts } from '@veridict/contract/messages/report'
import { rowKeyText } from '@veridict/contract/messages/row-key'
import {
  correctableOf,
  type Cause,
  type CauseExample,
  shownExamples,
  splitCauses,
} from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { maxFirstCauses, firstCauses } from '@veridict/contract/model/first-causes'
import {
  ErrorType,
  type ColumnDifference,
  type FileProblem,
  fileProblemText,
  type Verdict,
  type Warnings,
} from '@veridict/contract/model/verdict'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { cutText, printable } from '#print/print.ts'

type Paint = (style: 'green' | 'red' | 'bold' | 'dim', text: string) => string

/** Colours only where `stream` is a terminal that shows them. */
const painterOf =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream, validateStream: true })

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
      return rowErrorLines({ ...verdict, causesCount: verdict.causes.length }, file, paint)
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

type ShownWarnings = { [Key in 'warningCount' | 'warningRowCount']: number | null } & Pick<Warnings, 'causes'>
/** `causes`: the largest ones; `causesCount`: of all. */
type Causes = { causes: readonly Cause[]; causesCount: number; cellErrorCount: number }
/** `rows`: the first ones; none for those of a portal. */
type RowErrors = Causes & {
  recordsCount: number
  errorRowCount: number
  rows: readonly RowReport[]
  warnings?: ShownWarnings
}

function rowErrorLines(errors: RowErrors, file: string, paint: Paint): string[] {
  const { recordsCount, errorRowCount, cellErrorCount, rows, warnings } = errors
  const rowCount = `${counted(errorRowCount, 'row')} of ${writeCount(recordsCount)} with errors`
  const isCut = rows.length > 0 && rows.length < errorRowCount
  const firstRows = `These are the first ${writeCount(rows.length)} rows`
  return [
    `${paint('red', 'Not passed')}: ${file}, ${rowCount}, ${counted(cellErrorCount, 'bad cell')}.`,
    ...rows.flatMap((row) => rowLines(row, paint)),
    ...(isCut ? ['', `${firstRows}; --all shows all of them, --errors writes a workbook.`] : []),
    '',
    // Below the rows: a terminal shows the end of what was printed.
    ...causeLines(errors, paint),
    ...warningLines(warnings, paint),
  ]
}

function warningLines(warnings: ShownWarnings | undefined, paint: Paint): string[] {
  if (!warnings?.warningCount || !warnings.warningRowCount) return []
  const { warningCount, warningRowCount, causes } = warnings
  return [
    '',
    paint('bold', `${counted(warningCount, 'warning')} in ${counted(warningRowCount, 'row')}`),
    ...causes.slice(0, maxFirstCauses).flatMap((cause) => linesOfCause(cause, paint)),
  ]
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

/** Width of a number of cells; what is below it begins after it. */
const COUNT_WIDTH = 9
const INDENT = ' '.repeat(COUNT_WIDTH + 2)
/** Longest value in an example. */
const MAX_VALUE = 60

/** What is wrong with a file, by cause: those that most of the errors come from, as the portal's report. */
export function causeLines({ causes, causesCount, cellErrorCount }: Causes, paint: Paint): string[] {
  const first = firstCauses(causes, cellErrorCount)
  const shown = causes.slice(0, first?.count ?? maxFirstCauses)
  const suggestions = causes.reduce((sum, cause) => sum + cause.suggestions, 0)
  const others = causesCount - shown.length
  const title = first === null ? texts.manyCauses(causesCount) : texts.fixFirst(first.count, first.percent)
  return [
    paint('bold', title),
    ...shown.flatMap((cause) => linesOfCause(cause, paint)),
    ...(others > 0 ? ['', `${texts.otherCauses(others)}.`] : []),
    ...(suggestions > 0
      ? ['', `${texts.withSuggestion(suggestions, cellErrorCount)}: see veridict correct.`]
      : []),
  ]
}

/** The number of cells of a cause, its column, and what is wrong. */
export const causeLine = (cells: number, { columnPosition, message }: Cause): string => {
  const place = columnPosition === null ? '' : `${columnPosition}  `
  return `${writeCount(cells).padStart(COUNT_WIDTH)}  ${place}${printable(message)}`
}

function linesOfCause(cause: Cause, paint: Paint): string[] {
  const examples = shownExamples(cause).map(exampleText)
  return [
    '',
    causeLine(cause.cells, cause),
    ...(examples.length > 0 ? [INDENT + examples.join('   ')] : []),
    ...(cause.advice === '' ? [] : [paint('dim', INDENT + printable(cause.advice))]),
  ]
}

function exampleText({ label, value, suggestion, count }: CauseExample): string {
  const place = label === undefined ? '' : `${printable(label)}: `
  const change = suggestion === null ? '' : ` → ${shortValue(suggestion)}`
  const times = count !== null && count > 1 ? ` (${texts.times(count)})` : ''
  return place + shortValue(value) + change + times
}

const shortValue = (value: string): string =>
  value === '' ? '(empty)' : cutText(printable(value), MAX_VALUE)

/** For a token that may only upload. */
export const REPORT_UNREAD = 'This token may not read what is wrong; the report in the portal shows it.'

/** The result of an upload for people, in the form of `validate`. `report` is null for an accepted file. */
export function reportAsText(
  { id, fileName, recordsCount, errorRowCount }: SubmissionItem,
  report: ErrorReport | 'unread' | null,
  portal: string,
  stream: NodeJS.WriteStream,
): string {
  if (report === null)
    return verdictAsText({ kind: 'passed', recordsCount: recordsCount ?? 0 }, fileName, stream)
  const address = `\nReport: ${portal}/home/fileError/${id}\n`
  if (report === 'unread') {
    const rows = errorRowCount === null ? '' : `, ${counted(errorRowCount, 'row')} with errors`
    const verdict = painterOf(stream)('red', 'Not passed')
    return `${verdict}: ${printable(fileName)}${rows}.\n${REPORT_UNREAD}\n${address}`
  }
  if (report.fileProblem === null) return rowErrorsAsText(report, stream) + address
  const problem = { ...report.fileProblem, columns: report.columns }
  return verdictAsText({ kind: 'fileProblem', problem }, fileName, stream) + address
}

function rowErrorsAsText(whole: ErrorReport, stream: NodeJS.WriteStream): string {
  const { report, warnings: causes } = splitCauses(whole)
  const { fileName, recordsCount, errorRowCount, cellErrorCount } = report
  const errors = {
    ...report,
    recordsCount: recordsCount ?? 0,
    errorRowCount: errorRowCount ?? 0,
    cellErrorCount: cellErrorCount ?? 0,
    rows: [],
    warnings: { ...report, causes },
  }
  const lines = rowErrorLines(errors, printable(fileName), painterOf(stream))
  return lines.map((line) => `${line}\n`).join('')
}
