import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const readCounts = defineEndpoint({
  method: 'GET',
  path: '/api/Admin/counts',
  access: 'superAdmin',
  summary: 'How many dictionaries and companies there are',
  reply: z.object({ totalDataDictionaries: z.int(), totalCompanies: z.int() }),
})
