import { z } from 'zod'
import { endpoint, repeated } from './endpoint.ts'

const text = z.string().min(1).max(500)

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
  'A copy of the source file in which the structure is right, and the bad cells have their suggestions, as ' +
    'far as the causes named by `cause` say (several times; without any: all that are sure). `choose` ' +
    '(ID=VALUE) and `map` (ID:FROM=TO) answer the questions of causes. 404 for a cause that the file does ' +
    'not have, 400 for what is no answer',
  { query: z.object({ cause: repeated(text), choose: repeated(text), map: repeated(text) }), download: true },
)

export const downloadSourceFile = endpoint(
  'GET /api/ErrorFile/:id/Source',
  'reader',
  'The file of a rejected upload as it was sent, from which the page makes its corrected copy. 404 when it ' +
    'is no longer kept',
  { download: true },
)
