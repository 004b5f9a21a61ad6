import { lazy, type ReactNode, Suspense } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '#lib/session/use-session.ts'
import { NotFound } from '#screens/not-found.tsx'
import { addressAfterLogin, loginState } from './after-login.ts'
import { patterns } from './paths.ts'
import { loadParts } from './parts.ts'

/**
 * Screens for visitors. With a session they lead home, after a login also to the address at which the visit
 * began. See docs/BEHAVIOUR.md#routes.
 */
export function VisitorsOnly() {
  const session = useSession()
  const { state } = useLocation()
  return session === null ? <Outlet /> : <Navigate to={addressAfterLogin(state, session)} replace />
}

const LoggedIn = lazy(async () => ({ default: (await loadParts.loggedIn()).LoggedIn }))

/** Screens that need a session, inside the shell; without one they lead to the login page. */
export function LoggedInOnly() {
  const session = useSession()
  const location = useLocation()
  if (session === null) return <Navigate to={patterns.login} replace state={loginState(location)} />
  return (
    <Suspense fallback={null}>
      <LoggedIn session={session} />
    </Suspense>
  )
}

/** Screens of one role; the other role gets "not found". See docs/BEHAVIOUR.md#people-and-rights. */
export function RoleOnly({ admin }: { admin: boolean }) {
  return useSession()?.isAdmin === admin ? <Outlet /> : <NotFound />
}

/** An address that has another screen for each role. */
export function ByRole({ admin, user }: { admin: ReactNode; user: ReactNode }) {
  return useSession()?.isAdmin ? admin : user
}
