import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { announceConflict } from './announce.tsx'
import { isStatus, messageOf } from './call-failure.ts'
import { call, type CallInput } from './client.ts'

/** The key is the path of the call and what it sends; the data the reply, or what `read` makes of it. */
export const queryOf = <E extends Endpoint, Data = ReplyOf<E>>(
  endpoint: E,
  input: CallInput<E> = {},
  read: (reply: ReplyOf<E>) => Data = (reply) => reply as Data,
) =>
  queryOptions({
    queryKey: [endpoint.path, input],
    queryFn: async ({ signal }): Promise<NoInfer<Data>> => read(await call(endpoint, { ...input, signal })),
  })

/** A page of a list: the page before stays until it is there. */
export const pageQueryOf = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions({ ...queryOf(endpoint, input), placeholderData: keepPreviousData })

/** For a query whose screen shows that there is nothing at its address: it shows no notice beside that. */
export const showsNotFound = { meta: { showsNotFound: true } } as const

/** Shows a 409, whose message it gets, at a field or in a form. */
type OnConflict = (message: string, failure: unknown) => void

/** Refetches all after a success. A 409 shows the server's message as a notice, or calls `onConflict`. */
export function useChange<E extends Endpoint>(endpoint: E, onConflict?: OnConflict) {
  const client = useQueryClient()
  return useMutation<ReplyOf<E>, unknown, CallInput<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: () => void client.invalidateQueries(),
    onError: (failure) => {
      const message = isStatus(failure, 409) ? messageOf(failure) : null
      if (message !== null && onConflict !== undefined) onConflict(message, failure)
      else {
        announceConflict(failure)
        // What is shown is no longer what is saved.
        if (message !== null) void client.invalidateQueries()
      }
    },
  })
}

/**
 * For a form: a later read must not replace what was typed. The form waits for `isFetchedAfterMount`: what an
 * earlier form read may still be in the cache, and saving it would conflict.
 */
export const forForm = {
  gcTime: 0,
  refetchOnMount: 'always',
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
