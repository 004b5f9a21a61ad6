import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { announceFailure } from '#lib/http/announce.tsx'
import { CallFailure, isStatus } from '#lib/http/call-failure.ts'
import { tokenStore } from '#lib/session/token-store.ts'

/** No response (0), or the portal is starting (503): worth one retry. Other failures would only repeat. */
const isTemporary = (error: unknown) =>
  error instanceof CallFailure && (error.status === 0 || error.status === 503)

/** What the screen shows itself (`showsNotFound`) needs no notice. */
const isShown = (error: unknown, meta: Record<string, unknown> | undefined) =>
  meta?.quiet === true || (meta?.showsNotFound === true && isStatus(error, 404))

/** A failure shows its notice; of a refresh in the background it is only logged, and the data stays. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      console.error(error)
      if (query.state.data === undefined && !isShown(error, query.meta)) announceFailure(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.quiet !== true) announceFailure(error)
    },
  }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 1 && isTemporary(error), retryDelay: 800, staleTime: 5000 },
    mutations: { retry: false },
  },
})

/** The next user of this browser must not see what the last one read. */
export function clearOnLogOut(): () => void {
  return tokenStore.subscribe(() => {
    if (tokenStore.read() === null) queryClient.clear()
  })
}
