import { useMutation, useQueryClient } from '@tanstack/react-query'
import { announceConflict } from './announce.ts'
import { isStatus, messageOf } from './call-failure.ts'

/**
 * A change on the server; all that is shown is read again after it. A conflict (409) is told by a
 * notification with the server's message, or handed to `onConflict` where it belongs beside a field. Spec §8.
 */
export function useChange<Variables = void, Result = unknown>(
  change: (variables: Variables) => Promise<Result>,
  onConflict?: (message: string, failure: unknown) => void,
) {
  const client = useQueryClient()
  return useMutation<Result, unknown, Variables>({
    mutationFn: change,
    onSuccess: () => void client.invalidateQueries(),
    onError: (failure) => {
      const message = isStatus(failure, 409) ? messageOf(failure) : null
      if (message !== null && onConflict !== undefined) onConflict(message, failure)
      else announceConflict(failure)
    },
  })
}
