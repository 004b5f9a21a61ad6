import type { ReactNode } from 'react'
import { Navigate, Outlet } from 'react-router'
import { useSession } from '#lib/session/use-session.ts'
import { NotFound } from '#screens/not-found.tsx'
import { patterns } from './paths.ts'
import { Shell } from './shell.tsx'

/** Screens for visitors; with a session they lead home. See docs/BEHAVIOUR.md#routes. */
export function VisitorsOnly() {
  return useSession() === null ? <Outlet /> : <Navigate to={patterns.home} replace />
}

/** Screens that need a session, inside the shell; without one they lead to the login page. */
export function LoggedInOnly() {
  const session = useSession()
  return session === null ? <Navigate to={patterns.login} replace /> : <Shell session={session} />
}

/** Screens of one role; the other role gets "not found". See docs/BEHAVIOUR.md#people-and-rights. */
export function RoleOnly({ admin }: { admin: boolean }) {
  return useSession()?.isAdmin === admin ? <Outlet /> : <NotFound />
}

/** An address that has another screen for each role. */
export function ByRole({ admin, user }: { admin: ReactNode; user: ReactNode }) {
  return useSession()?.isAdmin ? admin : user
}
