import { useMutation, useQueryClient } from '@tanstack/react-query'
import { announceConflict } from './announce.ts'
import { isStatus, messageOf } from './call-failure.ts'

/** Shows a 409, whose message it gets, at a field or in a form. */
export type OnConflict = (message: string, failure: unknown) => void

/**
 * A mutation that refetches all that is shown after a success. A 409 shows the server's message as a notice,
 * or calls `onConflict`, which can show it at a field.
 */
export function useChange<Variables = void, Result = unknown>(
  change: (variables: Variables) => Promise<Result>,
  onConflict?: OnConflict,
) {
  const client = useQueryClient()
  return useMutation<Result, unknown, Variables>({
    mutationFn: change,
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
