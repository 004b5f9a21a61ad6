import * as endpoints from '@veridict/contract/api/error-files'
import type { FastifyInstance } from 'fastify'
import { workbookDownload } from '#http/download.ts'
import { mount } from '#http/mount.ts'
import { openErrorFile } from '#services/submissions/open-error-file.ts'

export function mountErrorFiles(app: FastifyInstance): void {
  mount(app, endpoints.downloadErrorsFile, async ({ params, viewer, deps }) =>
    workbookDownload(await openErrorFile(params.id, 'errors', viewer, deps)),
  )

  mount(app, endpoints.downloadHighlightedFile, async ({ params, viewer, deps }) =>
    workbookDownload(await openErrorFile(params.id, 'highlighted', viewer, deps)),
  )
}
