import { queryOptions } from '@tanstack/react-query'
import { readCounts } from '@veridict/contract/api/admin'
import { call } from '#lib/http/client.ts'

/** How many dictionaries and companies there are. */
export const countsQuery = queryOptions({
  queryKey: ['counts'],
  queryFn: ({ signal }) => call(readCounts, { signal }),
})
