import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '@veridict/contract/api/endpoint'
import { call, type CallInput } from '#lib/http/client.ts'

/** A call that reads, as a query. Its key is the path of the call and what it sends. */
export const queryOf = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) =>
  queryOptions({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
  })

/** A page of a list: the page before stays until it is there. */
export const pageQueryOf = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions({ ...queryOf(endpoint, input), placeholderData: keepPreviousData })
