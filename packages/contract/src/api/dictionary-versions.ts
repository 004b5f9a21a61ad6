import { z } from 'zod'
import { endpoint, timestamp, pageOf, pagingQuery } from './endpoint.ts'
import { fieldItem } from './fields.ts'

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

export const listVersions = endpoint(
  'GET /api/DataDictionary/:id/Version',
  'superAdmin',
  'History of a dictionary: who changed what when, newest first',
  { query: pagingQuery.omit({ SearchText: true }), reply: pageOf(versionItem) },
)

export const readVersion = endpoint(
  'GET /api/DataDictionary/:id/Version/:revision',
  'superAdmin',
  'A dictionary as it was at a revision, with its fields in order; it never changes',
  { reply: versionItem.extend({ fields: z.array(fieldItem.omit({ id: true })) }) },
)
