import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { repeated } from './repeated.ts'

export const downloadErrorsFile = endpoint(
  'GET /api/ErrorFile/:id/Simple',
  'reader',
  'Workbook that lists every error',
  { download: true },
)

export const downloadHighlightedFile = endpoint(
  'GET /api/ErrorFile/:id/Highlighted',
  'reader',
  'The source file as a workbook with each bad cell marked',
  { download: true },
)

export const downloadCorrectedFile = endpoint(
  'GET /api/ErrorFile/:id/Corrected',
  'reader',
  'A copy of the source file in which the bad cells of the causes named by `cause` (several times; ' +
    'without any: of all causes) have their suggestions. 404 for a cause that the file does not have',
  { query: z.object({ cause: repeated(z.string().min(1).max(500)) }), download: true },
)
