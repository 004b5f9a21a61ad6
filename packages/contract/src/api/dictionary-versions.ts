import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { idParams, timestamp } from './envelope.ts'
import { fieldItem } from './fields.ts'
import { pageOf, pagingQuery } from './paging.ts'

const versionItem = z.object({
  revision: z.int(),
  name: z.string(),
  changedAt: timestamp,
  /** null for the portal itself, which makes dictionaries at its first start. */
  changedBy: z.string().nullable(),
  /** What was changed, a sentence. */
  change: z.string(),
  fieldCount: z.int(),
})
export type VersionItem = z.infer<typeof versionItem>

export const listVersions = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/Version',
  access: 'superAdmin',
  summary: 'History of a dictionary: who changed what when, newest first',
  params: idParams,
  query: pagingQuery.omit({ SearchText: true }),
  reply: pageOf(versionItem),
})

export const readVersion = defineEndpoint({
  method: 'GET',
  path: '/api/DataDictionary/:id/Version/:revision',
  access: 'superAdmin',
  summary: 'A dictionary as it was at a revision, with its fields in order; it never changes',
  params: idParams.extend({ revision: idParams.shape.id }),
  reply: versionItem.extend({ fields: z.array(fieldItem.omit({ id: true })) }),
})
