import type { ReactNode } from 'react'
import { Navigate, Outlet } from 'react-router'
import { useSession } from '#lib/session/use-session.ts'
import { NotFound } from '#screens/not-found.tsx'
import { patterns } from './paths.ts'
import { Shell } from './shell.tsx'

/** Screens for visitors; who is logged in goes home. Spec §2. */
export function VisitorsOnly() {
  return useSession() === null ? <Outlet /> : <Navigate to={patterns.home} replace />
}

/** Screens for all who are logged in, inside the shell; visitors go to the login page. Spec §2. */
export function LoggedInOnly() {
  const session = useSession()
  return session === null ? <Navigate to={patterns.login} replace /> : <Shell session={session} />
}

/** Screens of one role; for the other one they do not exist. Spec §6. */
export function RoleOnly({ admin }: { admin: boolean }) {
  return useSession()?.isAdmin === admin ? <Outlet /> : <NotFound />
}

/** One address with a screen per role. */
export function ByRole({ admin, user }: { admin: ReactNode; user: ReactNode }) {
  return useSession()?.isAdmin ? admin : user
}
