import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorReport, readErrorReport } from '@veridict/contract/api/submission-errors'
import {
  readSubmission,
  type SubmissionDetails,
  type SubmissionItem,
} from '@veridict/contract/api/submissions'
import { ErrorType } from '@veridict/contract/model/verdict'
import { isSettled, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { ExitCode, NotAllowedError, PortalError, UnreachableError } from '#exit-code.ts'
import { callPortal, type Portal } from '#portal/portal.ts'
import { asJson, print } from '#print/print.ts'
import { REPORT_UNREAD, reportAsText } from '#print/verdict-text.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const FIRST_DELAY = SECOND / 2
const LONGEST_DELAY = 10 * SECOND
/** For this long, requests to a portal that cannot be reached are repeated: it may be restarting. */
const LONGEST_OUTAGE = 5 * MINUTE
const LONGEST_WAIT = 60 * MINUTE

/** The file as the reply to its upload describes it. */
type AcceptedFile = Pick<SubmissionItem, 'id' | 'fileName' | 'status'>

export async function waitForResult(
  portal: Portal,
  accepted: AcceptedFile,
  json: boolean,
): Promise<ExitCode> {
  const submission = await waitUntilSettled(portal, accepted)
  const { ValidationFailed, IngestionSuccess } = SubmissionStatus
  if (submission.status !== ValidationFailed && submission.status !== IngestionSuccess)
    throw new PortalError(notStored(accepted, submission.status))
  const isFailed = submission.status === ValidationFailed
  const report = isFailed ? await readReport(portal, accepted) : null
  print(
    json
      ? asJson(resultOf(submission, report))
      : reportAsText(submission, report, portal.url, process.stdout),
  )
  if (report === null) return ExitCode.Passed
  return isErrorOfFile(submission.errorType) ? ExitCode.NotPassed : ExitCode.Failed
}

/** The report, unless the token may only upload: it shows values of cells. */
async function readReport(portal: Portal, { id }: AcceptedFile): Promise<ErrorReport | 'unread'> {
  try {
    return await callPortal(portal, readErrorReport, { id })
  } catch (error) {
    if (error instanceof NotAllowedError) return 'unread'
    throw error
  }
}

/** The other types are for the portal's administrators. */
const isErrorOfFile = (type: SubmissionDetails['errorType']): boolean =>
  type !== ErrorType.EmptyDictionary && type !== ErrorType.ProcessingFailed

/** Reads the submission again and again, with growing delays. Short outages do not end it. */
async function waitUntilSettled(portal: Portal, { id }: AcceptedFile): Promise<SubmissionDetails> {
  const end = performance.now() + LONGEST_WAIT
  let lastReply = performance.now()
  for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 1.5, LONGEST_DELAY)) {
    await sleep(delay)
    try {
      const submission = await callPortal(portal, readSubmission, { id })
      if (isSettled(submission.status)) return submission
      lastReply = performance.now()
    } catch (error) {
      if (!(error instanceof PortalError)) throw error
      const isOutage = error instanceof UnreachableError && performance.now() - lastReply < LONGEST_OUTAGE
      if (!isOutage) throw new PortalError(`The upload is file ${id}. ${error.message}`, { cause: error })
    }
    if (performance.now() > end)
      throw new PortalError(`The upload is file ${id}; after an hour it is still being processed.`)
  }
}

const notStored = ({ id }: AcceptedFile, status: SubmissionStatus): string =>
  status === SubmissionStatus.IngestionFailed
    ? `File ${id} is valid, but the portal could not save it. "Retry" in its history saves it again.`
    : `File ${id} is valid, but the portal lost it before it was saved. Upload it again.`

/** Counts are null if nothing was counted. `errorMessage` says so if the token may not read the report. */
function resultOf(
  { id, fileName, status, recordsCount, errorType: type = null, errorRowCount: rows }: SubmissionDetails,
  report: ErrorReport | 'unread' | null,
): object {
  const file = { id, fileName, status, recordsCount }
  if (report === null)
    return { ...file, errorType: null, errorMessage: null, errorRowCount: 0, cellErrorCount: 0, causes: [] }
  const unread = { errorMessage: REPORT_UNREAD, cellErrorCount: null, causes: [], columns: [] }
  if (report === 'unread') return { ...file, errorType: type, errorRowCount: rows, ...unread }
  const { errorType, errorMessage, errorRowCount, cellErrorCount, causes, columns } = report
  return { ...file, errorType, errorMessage, errorRowCount, cellErrorCount, causes, columns }
}
