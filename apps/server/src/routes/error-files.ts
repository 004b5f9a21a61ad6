import * as endpoints from '@veridict/contract/api/error-files'
import type { FastifyInstance } from 'fastify'
import type { Download } from '#http/download.ts'
import { mount } from '#http/mount.ts'
import { openErrorFile, type ErrorFile } from '#services/submissions/open-error-file.ts'

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export function mountErrorFiles(app: FastifyInstance): void {
  mount(app, endpoints.downloadErrorsFile, async ({ params, viewer, deps }) =>
    asDownload(await openErrorFile(params.id, 'errors', viewer, deps)),
  )

  mount(app, endpoints.downloadHighlightedFile, async ({ params, viewer, deps }) =>
    asDownload(await openErrorFile(params.id, 'highlighted', viewer, deps)),
  )
}

/** The stream closes the file, at its end as well as when the reader goes away. */
async function asDownload({ fileName, file }: ErrorFile): Promise<Download> {
  const { size } = await file.stat()
  return { fileName, mediaType: WORKBOOK, content: file.createReadStream(), bytes: size }
}
