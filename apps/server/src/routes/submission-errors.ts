import * as endpoints from '@veridict/contract/api/submission-errors'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { presentPage } from '#presenters/page.ts'
import { presentErrorReport } from '#presenters/submission.ts'
import { readErrors, readRowErrors } from '#services/submissions/read-errors.ts'

export function mountSubmissionErrors(app: FastifyInstance): void {
  mount(app, endpoints.readErrorReport, async ({ params, query, viewer, deps }) =>
    presentErrorReport(await readErrors(params.id, query, viewer, deps), query),
  )

  mount(
    app,
    endpoints.listRowErrors,
    async ({ params, query: { rowNumber, pageNumber, pageSize }, viewer, deps }) => {
      const page = { PageNumber: pageNumber, PageSize: pageSize }
      const { errors, count } = await readRowErrors(params.id, rowNumber, page, viewer, deps)
      return presentPage(errors, count, page)
    },
  )
}
