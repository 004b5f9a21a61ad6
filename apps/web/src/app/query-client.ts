import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { announceFailure } from '#lib/http/announce.ts'
import { CallFailure } from '#lib/http/call-failure.ts'
import { tokenStore } from '#lib/session/token-store.ts'

/**
 * No answer, or the portal is starting: worth another try, once. Everything else will not change by asking
 * again.
 */
const isPassing = (error: unknown) =>
  error instanceof CallFailure && (error.status === 0 || error.status === 503)

/**
 * The cache of all that was read. A failed read or change is told as the error catalogue says, unless what is
 * shown stays true (a refresh in the background failed): that is only logged.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      console.error(error)
      if (query.state.data === undefined && query.meta?.quiet !== true) announceFailure(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.quiet !== true) announceFailure(error)
    },
  }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 1 && isPassing(error), retryDelay: 800, staleTime: 5000 },
    mutations: { retry: false },
  },
})

/** Nothing that one person read may be seen by the next one at the same browser. */
export function clearOnLogOut(): () => void {
  return tokenStore.subscribe(() => {
    if (tokenStore.read() === null) queryClient.clear()
  })
}
