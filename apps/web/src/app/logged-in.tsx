import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '#lib/session/use-session.ts'
import { clearOnLogOut, queryClient } from './query-client.ts'
import { Shell } from './shell.tsx'

/** What all screens that need a session have in common. Visitors do not load it. */
export function LoggedIn({ session }: { session: Session }) {
  useEffect(clearOnLogOut, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Shell session={session} />
    </QueryClientProvider>
  )
}
