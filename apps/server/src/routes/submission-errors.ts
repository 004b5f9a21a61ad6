import * as endpoints from '@veridict/contract/api/submission-errors'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { presentErrorReport } from '#presenters/error-report.ts'
import { presentPage } from '#presenters/page.ts'
import { readErrors, readRowErrors } from '#services/submissions/read-errors.ts'

export function mountSubmissionErrors(app: FastifyInstance): void {
  mount(app, endpoints.readErrorReport, async ({ params, query, viewer, deps }) =>
    presentErrorReport(await readErrors(params.id, query, viewer, deps), query),
  )

  mount(app, endpoints.listRowErrors, async ({ params, query: { rowNumber, pageNumber, pageSize }, viewer, deps }) => {
    const errors = await readRowErrors(params.id, rowNumber, viewer, deps)
    const start = (pageNumber - 1) * pageSize
    return presentPage(errors.slice(start, start + pageSize), errors.length, { PageSize: pageSize })
  })
}
