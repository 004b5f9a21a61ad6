import { queryOptions } from '@tanstack/react-query'
import { endOtherSessions, endSession, listSessions } from '@veridict/contract/api/session'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'

/** Where one's own account is logged in. */
export const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

export const useEndSession = () => useChange((id: string) => call(endSession, { params: { id } }))
export const useEndOtherSessions = () => useChange(() => call(endOtherSessions))
