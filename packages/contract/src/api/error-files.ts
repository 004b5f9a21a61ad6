import { defineEndpoint } from './endpoint.ts'
import { idParams } from './envelope.ts'

export const downloadErrorsFile = defineEndpoint({
  method: 'GET',
  path: '/api/ErrorFile/:id/Simple',
  access: 'companyUser',
  summary: 'Workbook that lists every error',
  params: idParams,
  download: true,
})

export const downloadHighlightedFile = defineEndpoint({
  method: 'GET',
  path: '/api/ErrorFile/:id/Highlighted',
  access: 'companyUser',
  summary: 'The source file as a workbook with each bad cell marked',
  params: idParams,
  download: true,
})
