import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { idParams } from './envelope.ts'
import { repeated } from './repeated.ts'

export const downloadErrorsFile = defineEndpoint({
  method: 'GET',
  path: '/api/ErrorFile/:id/Simple',
  access: 'reader',
  summary: 'Workbook that lists every error',
  params: idParams,
  download: true,
})

export const downloadHighlightedFile = defineEndpoint({
  method: 'GET',
  path: '/api/ErrorFile/:id/Highlighted',
  access: 'reader',
  summary: 'The source file as a workbook with each bad cell marked',
  params: idParams,
  download: true,
})

export const downloadCorrectedFile = defineEndpoint({
  method: 'GET',
  path: '/api/ErrorFile/:id/Corrected',
  access: 'reader',
  summary:
    'A copy of the source file in which the bad cells of the causes named by `cause` (several times; ' +
    'without any: of all causes) have their suggestions. 404 for a cause that the file does not have',
  params: idParams,
  query: z.object({ cause: repeated(z.string().min(1).max(500)) }),
  download: true,
})
