import { retryStorage } from '@veridict/contract/api/admin'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import {
  downloadCorrectedFile,
  downloadErrorsFile,
  downloadHighlightedFile,
  downloadSourceFile,
} from '@veridict/contract/api/error-files'
import { readReceipt as receiptEndpoint, receiptKeysPath } from '@veridict/contract/api/receipts'
import { listRowErrors, readErrorReport, type ErrorReport } from '@veridict/contract/api/submission-errors'
import * as endpoints from '@veridict/contract/api/submissions'
import { errorScreenLimits } from '@veridict/contract/limits'
import { operationMessages } from '@veridict/contract/messages/operation'
import { submissionMessages, submissionStatusTexts } from '@veridict/contract/messages/submissions'
import { jsonCause } from '@veridict/contract/model/cause'
import { jsonError, jsonRow } from '@veridict/contract/model/cell-error'
import { ErrorType } from '@veridict/contract/model/verdict'
import { rememberedFor } from '@veridict/contract/model/remembered-answer'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { FastifyInstance } from 'fastify'
import { csvFile } from '#platform/csv.ts'
import { csvDownload, fileDownload, storedDownload } from '#platform/http/download.ts'
import { LongResult, mount, withMessage } from '#platform/http/mount.ts'
import { longPageJson, presentBoundedPage, presentPage } from '#platform/page.ts'
import { listPublicKeys } from '#platform/signing/receipt-keys.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { openCorrectedFile, openErrorFile, openSourceFile } from '#submissions/open-error-file.ts'
import { findFittingDictionaries } from '#submissions/name-other-dictionaries.ts'
import { readErrors, readRowErrors, type ErrorReportPage } from '#submissions/read-errors.ts'
import { readReceipt } from '#submissions/make-receipt.ts'
import {
  listSelectableDictionaries,
  listSubmissions,
  readEarlierUpload,
  readSubmission,
  readWholeHistory,
  type SubmissionDetail,
} from '#submissions/read-submissions.ts'
import { retryAllStorageErrors, retryIngestion } from '#submissions/retry-ingestion.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { EarlierSubmission, SubmissionSummary } from '#submissions/submission-history.ts'

export function mountSubmissions(app: FastifyInstance): void {
  mountErrors(app)
  mountReceipts(app)

  mount(app, endpoints.dictionariesForSelection, ({ viewer, deps }) =>
    listSelectableDictionaries(viewer, deps),
  )

  mount(app, endpoints.uploadSubmission, async ({ parts, viewer, deps, disconnected }) =>
    presentUpload(await acceptUpload(parts, viewer, deps, disconnected)),
  )

  mount(app, retryStorage, async ({ body: { companyId = null }, deps }) => {
    const retried = await retryAllStorageErrors(companyId, deps)
    return withMessage({ retried }, operationMessages.retried(retried))
  })

  mount(app, endpoints.findFittingDictionaries, ({ body, viewer, deps }) =>
    findFittingDictionaries(body, viewer.companyId, deps),
  )

  mount(app, endpoints.listSubmissions, async ({ query, viewer, deps }) => {
    const page = await listSubmissions(query, viewer, deps)
    if ('batches' in page)
      return new LongResult(longPageJson(page.batches, presentSubmissionItem, page.matches, query))
    const { submissions, hasMore, matches } = page
    return presentBoundedPage(submissions.map(presentSubmissionItem), matches, { ...query, hasMore })
  })

  mount(app, endpoints.readSubmission, async ({ params, viewer, deps }) =>
    presentSubmission(await readSubmission(params.id, viewer, deps)),
  )

  mount(app, endpoints.exportSubmissions, async ({ query, viewer, deps }) => {
    const { exportName, exportHeader } = submissionMessages
    return csvDownload(
      exportName,
      csvFile(exportHeader, readWholeHistory(query, viewer, deps), historyExportLine),
    )
  })

  mount(app, endpoints.findEarlierUpload, async ({ query, viewer, deps }) => {
    const earlier = await readEarlierUpload(query, viewer, deps)
    return earlier === undefined ? null : presentEarlierUpload(earlier)
  })

  mount(app, endpoints.retryIngestion, ({ body, viewer, deps }) => retryIngestion(body.FileId, viewer, deps))
}

function mountErrors(app: FastifyInstance): void {
  mount(app, readErrorReport, async ({ params, query, viewer, deps }) =>
    presentErrorReport(await readErrors(params.id, query, viewer, deps), query),
  )

  mount(app, listRowErrors, async ({ params, query: { rowNumber, pageNumber, pageSize }, viewer, deps }) => {
    const page = { PageNumber: pageNumber, PageSize: pageSize }
    const { errors, count } = await readRowErrors(params.id, rowNumber, page, viewer, deps)
    return presentPage(errors.map(jsonError), count, page)
  })

  mount(app, downloadErrorsFile, async ({ params, viewer, deps }) =>
    fileDownload(await openErrorFile(params.id, 'errors', viewer, deps)),
  )

  mount(app, downloadHighlightedFile, async ({ params, viewer, deps }) =>
    fileDownload(await openErrorFile(params.id, 'highlighted', viewer, deps)),
  )

  mount(app, downloadCorrectedFile, async ({ params, query: { cause, choose, map }, viewer, deps }) => {
    const choice = { causes: cause.length === 0 ? null : cause, choose, map }
    return fileDownload(await openCorrectedFile(params.id, choice, viewer, deps))
  })

  mount(app, downloadSourceFile, async ({ params, viewer, deps }) =>
    storedDownload(await openSourceFile(params.id, viewer, deps)),
  )
}

/** A new key is published this long after it signed first, at the latest. */
const KEYS_MAX_AGE_SECONDS = 60

function mountReceipts(app: FastifyInstance): void {
  mount(
    app,
    receiptEndpoint,
    async ({ params, viewer, deps }) =>
      new LongResult([await readReceipt(params.id, viewer, deps)], { isDownload: false }),
  )

  app.get(receiptKeysPath, async (_request, reply) => {
    reply.header('Cache-Control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`)
    return listPublicKeys(app.deps)
  })
}

const presentSubmissionItem = (submission: SubmissionSummary): endpoints.SubmissionItem => ({
  id: submission.id,
  fileName: submission.fileName,
  dataDictionaryName: submission.dictionaryName,
  recordsCount: submission.recordsCount,
  createdAt: submission.createdAt.toISOString(),
  status: submission.status,
  errorRowCount: submission.errorRowCount,
  warningRowCount: submission.warningRowCount,
  uploadedBy: submission.uploadedBy,
})

const presentSubmission = ({
  previous,
  errorType,
  ...submission
}: SubmissionDetail): endpoints.SubmissionDetails => ({
  ...presentSubmissionItem(submission),
  previous: previous && { ...previous, createdAt: previous.createdAt.toISOString() },
  errorType,
})

/** The values of a submission in the order of the export's header. */
const historyExportLine = (submission: SubmissionSummary): (string | number | null)[] => [
  submission.fileName,
  submission.dictionaryName,
  submission.recordsCount,
  submission.errorRowCount,
  submission.createdAt.toISOString(),
  submission.uploadedBy,
  submissionStatusTexts[submission.status],
  submission.warningRowCount,
]

const presentUpload = ({
  id,
  fileName,
  status,
}: SubmissionRow): ReplyOf<typeof endpoints.uploadSubmission> => ({
  id,
  fileName,
  status,
})

const presentEarlierUpload = ({ createdAt, ...upload }: EarlierSubmission): endpoints.EarlierUpload => ({
  ...upload,
  createdAt: createdAt.toISOString(),
})

/** See docs/BEHAVIOUR.md#error-types and docs/BEHAVIOUR.md#rules-between-cells. */
function presentErrorReport(
  report: ErrorReportPage,
  paging: { PageNumber: number; PageSize: number },
): ErrorReport {
  const { submission, dictionary, uploadedBy, rows, storedRows, causes, warnings, previous } = report
  const { errorRowCount, recordsCount, fileProblem } = submission
  const errorType = submission.errorType ?? ErrorType.ProcessingFailed
  const isOfRows = errorType === ErrorType.RowErrors
  const isAccepted = submission.status === SubmissionStatus.IngestionSuccess
  const errorMessage =
    submission.errorMessage ?? submissionMessages.rowsWithErrors(errorRowCount ?? 0, recordsCount ?? 0)
  const { message = errorMessage, details = [], hints = [], columns = [] } = fileProblem ?? {}
  const { otherDictionaries } = report
  const ofWarnings = warnings.causes.slice(0, errorScreenLimits.maxCauses)
  const ofProblem = isOfRows ? [] : (fileProblem?.causes ?? [])
  return {
    id: submission.id,
    fileName: submission.fileName,
    dataDictionaryId: dictionary.dictionaryId,
    dataDictionaryName: submission.dictionaryName,
    dictionaryVersion: dictionary.revision,
    uploadedBy,
    createdAt: submission.createdAt.toISOString(),
    errorType,
    errorMessage,
    fileProblem: isOfRows ? null : { errorType, message, details, hints, otherDictionaries },
    columns,
    recordsCount,
    errorRowCount: isOfRows ? errorRowCount : null,
    cellErrorCount: submission.cellErrorCount,
    causes: [...causes, ...ofProblem, ...ofWarnings].map((cause) => {
      const { choice, map } = rememberedFor(cause, report.answers) ?? {}
      return { ...jsonCause(cause), remembered: map ? Object.fromEntries(map) : choice }
    }),
    causesCount: (submission.causesCount ?? 0) + ofProblem.length + ofWarnings.length,
    previous: previous && { ...previous, createdAt: previous.createdAt.toISOString() },
    rows: presentPage(rows.map(jsonRow), storedRows, paging),
    warningCount: submission.warningCount,
    warningRowCount: submission.warningRowCount,
    warningRows: presentPage(warnings.rows.map(jsonRow), warnings.count, paging),
    ...(isAccepted && withoutErrors),
  }
}

const withoutErrors = {
  errorType: null,
  errorMessage: null,
  fileProblem: null,
  errorRowCount: 0,
  cellErrorCount: 0,
}
