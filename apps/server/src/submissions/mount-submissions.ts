import { retryStorage } from '@veridict/contract/api/admin'
import * as errorFiles from '@veridict/contract/api/error-files'
import * as receipts from '@veridict/contract/api/receipts'
import * as submissionErrors from '@veridict/contract/api/submission-errors'
import * as endpoints from '@veridict/contract/api/submissions'
import { operationMessages } from '@veridict/contract/messages/operation'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { submissionMessages, submissionStatusTexts } from '@veridict/contract/messages/submissions'
import { jsonError } from '@veridict/contract/model/cell-error'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { FastifyInstance } from 'fastify'
import { findSelectableDictionaries } from '#dictionaries/company-dictionaries.ts'
import { conflict, found } from '#errors.ts'
import { personKey, scopeOf } from '#platform/access/viewer.ts'
import { csvFile } from '#platform/csv.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { csvDownload, fileDownload, storedDownload } from '#platform/http/download.ts'
import { LongResult, mountCalls, WithMessage } from '#platform/http/mount.ts'
import { longPageJson, presentBoundedPage, presentPage } from '#platform/page.ts'
import { listPublicKeys } from '#platform/signing/receipt-keys.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { findCorrected } from '#submissions/compare-reports.ts'
import { makeReceipt, type StoredFile } from '#submissions/make-receipt.ts'
import { findFittingDictionaries } from '#submissions/name-other-dictionaries.ts'
import { openCorrectedFile, openErrorFile, openSourceFile } from '#submissions/open-error-file.ts'
import { readErrors, readRowErrors } from '#submissions/read-errors.ts'
import { listSubmissions, readWholeHistory } from '#submissions/read-submissions.ts'
import { retryAllStorageErrors, retryIngestion } from '#submissions/retry-ingestion.ts'
import {
  findEarlierSubmission,
  findSubmissionSummary,
  type SubmissionSummary,
} from '#submissions/submission-history.ts'
import { findSubmission, keepReceipt } from '#submissions/submissions.ts'

const calls = { ...endpoints, ...submissionErrors, ...errorFiles, ...receipts, retryStorage }

export const mountSubmissions = mountCalls(calls, {
  dictionariesForSelection: ({ viewer, deps: { db } }) => findSelectableDictionaries(db, viewer.companyId),

  findFittingDictionaries: ({ body, viewer, deps }) => findFittingDictionaries(body, viewer.companyId, deps),

  async uploadSubmission({ parts, viewer, deps, disconnected }) {
    const { id, fileName, status } = await acceptUpload(parts, viewer, deps, disconnected)
    return { id, fileName, status }
  },

  async listSubmissions({ query, viewer, deps }) {
    const page = await listSubmissions(query, viewer, deps)
    return 'batches' in page
      ? new LongResult(longPageJson(page.batches, presentSubmissionItem, page.matches, query))
      : presentBoundedPage(page.rows, presentSubmissionItem, page.matches, query)
  },

  async readSubmission({ params: { id }, viewer, deps }) {
    const scope = scopeOf(viewer, deps.env.historyScope)
    const submission = await found(findSubmissionSummary(deps.db, scope, id), 'File')
    const isAccepted = submission.status === SubmissionStatus.IngestionSuccess
    const previous = isAccepted ? await findCorrected(submission, viewer, deps) : null
    return {
      ...presentSubmissionItem(submission),
      previous: previous && { ...previous, createdAt: previous.createdAt.toISOString() },
      errorType: submission.errorType,
    }
  },

  exportSubmissions: async ({ query, viewer, deps }) =>
    csvDownload(
      submissionMessages.exportName,
      csvFile(submissionMessages.exportHeader, readWholeHistory(query, viewer, deps), historyExportLine),
    ),

  async findEarlierUpload({ query: { dataDictionaryId: dictionaryId, sha256 }, viewer, deps: { db, env } }) {
    const scope = scopeOf(viewer, env.historyScope)
    const earlier = await findEarlierSubmission(db, scope, { dictionaryId, sha256 })
    return earlier === undefined ? null : { ...earlier, createdAt: earlier.createdAt.toISOString() }
  },

  retryIngestion: ({ body, viewer, deps }) => retryIngestion(body.FileId, viewer, deps),

  async retryStorage({ body: { companyId = null }, deps }) {
    const retried = await retryAllStorageErrors(companyId, deps)
    return new WithMessage({ retried }, operationMessages.retried(retried))
  },

  readErrorReport: ({ params, query, viewer, deps }) => readErrors(params.id, query, viewer, deps),

  async listRowErrors({ params, query: { rowNumber, pageNumber, pageSize }, viewer, deps }) {
    const page = { PageNumber: pageNumber, PageSize: pageSize }
    const { errors, count } = await readRowErrors(params.id, rowNumber, page, viewer, deps)
    return presentPage(errors.map(jsonError), count, page)
  },

  downloadErrorsFile: async ({ params, viewer, deps }) =>
    fileDownload(await openErrorFile(params.id, 'errors', viewer, deps)),

  downloadHighlightedFile: async ({ params, viewer, deps }) =>
    fileDownload(await openErrorFile(params.id, 'highlighted', viewer, deps)),

  async downloadCorrectedFile({ params, query: { cause, choose, map }, viewer, deps }) {
    const choice = { causes: cause.length === 0 ? null : cause, choose, map }
    return fileDownload(await openCorrectedFile(params.id, choice, viewer, deps))
  },

  downloadSourceFile: async ({ params, viewer, deps }) =>
    storedDownload(await openSourceFile(params.id, viewer, deps)),

  /** The same at every call: stored when the file was accepted, or made now, when it is the viewer's turn. */
  async readReceipt({ params: { id }, viewer, deps }) {
    const text = await deps.limits.receipts.run(`${viewer.companyId} ${personKey(viewer)}`, async () => {
      const scope = scopeOf(viewer, deps.env.historyScope)
      const submission = await found(findSubmission(deps.db, scope, id), 'File')
      if (!isAccepted(submission)) throw conflict(receiptMessages.notAccepted)
      if (submission.receipt !== null) return submission.receipt
      const receipt = await makeReceipt(submission, deps)
      return inTransaction(deps.db, (trx) => keepReceipt(trx, id, receipt))
    })
    return new LongResult([text], { isDownload: false })
  },
})

/** An accepted file always has its path and number of records; the types of the columns do not say so. */
const isAccepted = (submission: SubmissionRow): submission is StoredFile =>
  submission.status === SubmissionStatus.IngestionSuccess &&
  submission.recordsCount !== null &&
  submission.targetPath !== null

/** A new key is published this long after it signed first, at the latest. */
const KEYS_MAX_AGE_SECONDS = 60

export function mountReceiptKeys(app: FastifyInstance): void {
  app.get(receipts.receiptKeysPath, async (_request, reply) => {
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
