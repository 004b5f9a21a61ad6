import * as endpoints from '@veridict/contract/api/submissions'
import { uploadLimits } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { FastifyInstance } from 'fastify'
import { csvDownload } from '#platform/http/download.ts'
import { LongResult, mount } from '#platform/http/mount.ts'
import { csvFile } from '#platform/csv.ts'
import { longPageJson, presentBoundedPage } from '#platform/page.ts'
import {
  historyExportLine,
  presentEarlierUpload,
  presentSubmission,
  presentSubmissionItem,
  presentUpload,
} from '#submissions/present-submission.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import {
  listSelectableDictionaries,
  listSubmissions,
  readEarlierUpload,
  readWholeHistory,
  readSubmission,
} from '#submissions/read-submissions.ts'
import { retryIngestion } from '#submissions/retry-ingestion.ts'

const file = { maxBytes: uploadLimits.maxBytes, message: uploadMessages.tooLarge }

export function mountSubmissions(app: FastifyInstance): void {
  mount(app, endpoints.dictionariesForSelection, ({ viewer, deps }) =>
    listSelectableDictionaries(viewer, deps),
  )

  mount(
    app,
    endpoints.uploadSubmission,
    async ({ parts, viewer, deps, disconnected }) =>
      presentUpload(await acceptUpload(parts, viewer, deps, disconnected)),
    {
      file,
    },
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
