import { retryStorage } from '@veridict/contract/api/admin'
import {
  downloadCorrectedFile,
  downloadErrorsFile,
  downloadHighlightedFile,
} from '@veridict/contract/api/error-files'
import { readReceipt as receiptEndpoint, receiptKeysPath } from '@veridict/contract/api/receipts'
import { listRowErrors, readErrorReport } from '@veridict/contract/api/submission-errors'
import * as endpoints from '@veridict/contract/api/submissions'
import { operationMessages } from '@veridict/contract/messages/operation'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { jsonError } from '@veridict/contract/model/cell-error'
import type { FastifyInstance } from 'fastify'
import { csvFile } from '#platform/csv.ts'
import { csvDownload, fileDownload } from '#platform/http/download.ts'
import { LongResult, mount, withMessage } from '#platform/http/mount.ts'
import { longPageJson, presentBoundedPage, presentPage } from '#platform/page.ts'
import { listPublicKeys } from '#platform/signing/receipt-keys.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { openCorrectedFile, openErrorFile } from '#submissions/open-error-file.ts'
import {
  historyExportLine,
  presentEarlierUpload,
  presentErrorReport,
  presentSubmission,
  presentSubmissionItem,
  presentUpload,
} from '#submissions/present-submission.ts'
import { findFittingDictionaries } from '#submissions/name-other-dictionaries.ts'
import { readErrors, readRowErrors } from '#submissions/read-errors.ts'
import { readReceipt } from '#submissions/make-receipt.ts'
import {
  listSelectableDictionaries,
  listSubmissions,
  readEarlierUpload,
  readSubmission,
  readWholeHistory,
} from '#submissions/read-submissions.ts'
import { retryAllStorageErrors, retryIngestion } from '#submissions/retry-ingestion.ts'

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

  mount(app, endpoints.retryIngestion, async ({ body, viewer, deps }) => {
    await retryIngestion(body.FileId, viewer, deps)
    return { message: submissionMessages.retryStarted }
  })
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
