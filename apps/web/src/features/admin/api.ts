import { queryOptions } from '@tanstack/react-query'
import { readCounts } from '@veridict/contract/api/admin'
import { call } from '#lib/http/client.ts'

/** The numbers of dictionaries and companies. */
export const countsQuery = queryOptions({
  queryKey: ['counts'],
  queryFn: ({ signal }) => call(readCounts, { signal }),
})
