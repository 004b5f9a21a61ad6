import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import type { SubmissionItem } from '@veridict/contract/api/submissions'
import { splitCauses } from '@veridict/contract/model/cause'
import { writeCount } from '@veridict/contract/notation/count'
import { causeLines } from '#print/cause-lines.ts'
import { painterOf } from '#print/painter.ts'
import { printable } from '#print/print.ts'
import { errorCountsLine, verdictAsText, warningLines } from '#print/verdict-text.ts'

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
    const rows = errorRowCount === null ? '' : `, ${writeCount(errorRowCount)} rows with errors`
    const verdict = painterOf(stream)('red', 'Not passed')
    return `${verdict}: ${printable(fileName)}${rows}.\n${REPORT_UNREAD}\n${address}`
  }
  if (report.fileProblem === null) return rowErrorsAsText(report, stream) + address
  const problem = { ...report.fileProblem, columns: report.columns }
  return verdictAsText({ kind: 'fileProblem', problem }, fileName, stream) + address
}

function rowErrorsAsText(whole: ErrorReport, stream: NodeJS.WriteStream): string {
  const { report, warnings } = splitCauses(whole)
  const { fileName, recordsCount, errorRowCount, cellErrorCount, causes, causesCount } = report
  const paint = painterOf(stream)
  const counts = {
    recordsCount: recordsCount ?? 0,
    errorRowCount: errorRowCount ?? 0,
    cellErrorCount: cellErrorCount ?? 0,
  }
  const lines = [
    errorCountsLine(counts, printable(fileName), paint),
    '',
    ...causeLines({ causes, causesCount, cellErrorCount: counts.cellErrorCount }, paint),
    ...warningLines({ ...report, causes: warnings }, paint),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
