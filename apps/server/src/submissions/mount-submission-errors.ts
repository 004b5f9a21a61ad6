import {
  downloadCorrectedFile,
  downloadErrorsFile,
  downloadHighlightedFile,
} from '@veridict/contract/api/error-files'
import { listRowErrors, readErrorReport } from '@veridict/contract/api/submission-errors'
import type { FastifyInstance } from 'fastify'
import { copyDownload, workbookDownload } from '#platform/http/download.ts'
import { mount } from '#platform/http/mount.ts'
import { presentPage } from '#platform/page.ts'
import { presentErrorReport } from '#submissions/present-submission.ts'
import { openCorrectedFile, openErrorFile } from '#submissions/open-error-file.ts'
import { readErrors, readRowErrors } from '#submissions/read-errors.ts'

export function mountSubmissionErrors(app: FastifyInstance): void {
  mount(app, readErrorReport, async ({ params, query, viewer, deps }) =>
    presentErrorReport(await readErrors(params.id, query, viewer, deps), query),
  )

  mount(app, listRowErrors, async ({ params, query: { rowNumber, pageNumber, pageSize }, viewer, deps }) => {
    const page = { PageNumber: pageNumber, PageSize: pageSize }
    const { errors, count } = await readRowErrors(params.id, rowNumber, page, viewer, deps)
    return presentPage(errors, count, page)
  })

  mount(app, downloadErrorsFile, async ({ params, viewer, deps }) =>
    workbookDownload(await openErrorFile(params.id, 'errors', viewer, deps)),
  )

  mount(app, downloadHighlightedFile, async ({ params, viewer, deps }) =>
    workbookDownload(await openErrorFile(params.id, 'highlighted', viewer, deps)),
  )

  mount(app, downloadCorrectedFile, async ({ params, query, viewer, deps }) =>
    copyDownload(await openCorrectedFile(params.id, query.cause, viewer, deps)),
  )
}
