import '#app/mantine.css'
import { type ComponentType, lazy, type ReactNode } from 'react'
import {
  createBrowserRouter,
  Navigate,
  Outlet,
  type RouteObject,
  useLocation,
  useRouteError,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { OpenedDialog } from '#lib/forms/open-dialog.tsx'
import { whileBusy } from '#lib/http/busy-counter.ts'
import { readSession, useSession } from '#lib/session/use-session.ts'
import { Login } from '#screens/login.tsx'
import { NotFound } from '#screens/not-found.tsx'
import { BrokenScreen } from './broken-screen.tsx'
import { patterns, type screensOfRole } from './paths.ts'
import { addressAfterLogin, loginState } from './after-login.ts'

/** Loaded after the guards around it: a company user never loads the administrators' part. */
function screen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: NoInfer<Name>,
): ReactNode {
  // Without a boundary the screen before it stays until this one is loaded, below the loading bar. With one,
  // React shows the fallback for at least 300 ms, also when the code comes at once.
  const Screen = lazy<ComponentType>(async () => ({ default: (await whileBusy(load))[name] }))
  return <Screen />
}

const home = (
  <ByRole
    admin={screen(() => import('#screens/admin-home.tsx'), 'AdminHome')}
    user={screen(() => import('#screens/user-home.tsx'), 'UserHome')}
  />
)

/** The screens of a role. The compiler refuses an address that `screensOfRole` does not have. */
type ScreensOf<Role extends keyof typeof screensOfRole> = {
  [Path in (typeof screensOfRole)[Role][number]]?: ReactNode
}

const userScreens: ScreensOf<'user'> = {
  [patterns.fileUpload]: screen(() => import('#screens/file-upload.tsx'), 'FileUpload'),
  [patterns.fileError]: screen(() => import('#screens/file-error.tsx'), 'FileError'),
  [patterns.receipt]: screen(() => import('#screens/receipt.tsx'), 'Receipt'),
}

const adminScreens: ScreensOf<'admin'> = {
  [patterns.companies]: screen(() => import('#screens/companies.tsx'), 'Companies'),
  [patterns.companyCreate]: screen(() => import('#screens/company-create.tsx'), 'CompanyCreate'),
  [patterns.companyEdit]: screen(() => import('#screens/company-edit.tsx'), 'CompanyEdit'),
  [patterns.settings]: screen(() => import('#screens/settings.tsx'), 'Settings'),
  [patterns.auditTrail]: screen(() => import('#screens/audit-trail.tsx'), 'AuditTrail'),
  [patterns.mails]: screen(() => import('#screens/mails.tsx'), 'Mails'),
  [patterns.operation]: screen(() => import('#screens/operation.tsx'), 'Operation'),
  [patterns.dictionaries]: screen(() => import('#screens/dictionaries.tsx'), 'Dictionaries'),
  [patterns.dictionaryCreate]: screen(() => import('#screens/dictionary-create.tsx'), 'DictionaryCreate'),
  [patterns.dictionaryEdit]: screen(() => import('#screens/dictionary-edit.tsx'), 'DictionaryEdit'),
  [patterns.dictionaryImport]: screen(() => import('#screens/dictionary-import.tsx'), 'DictionaryImport'),
  [patterns.fieldEdit]: screen(() => import('#screens/field-edit.tsx'), 'FieldEdit'),
  [patterns.ruleEdit]: screen(() => import('#screens/rule-edit.tsx'), 'RuleEdit'),
}

const routesTo = (screens: Record<string, ReactNode>): RouteObject[] =>
  Object.entries(screens).map(([path, element]) => ({ path, element }))

function BrokenRoute() {
  return <BrokenScreen error={useRouteError()} />
}

/** The screens by address. Each is a chunk of its own. */
const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenRoute,
    HydrateFallback: () => null,
    children: [
      { Component: VisitorsOnly, children: [{ path: patterns.login, Component: Login }] },
      ...routesTo({
        [patterns.forgotPassword]: screen(() => import('#screens/forgot-password.tsx'), 'ForgotPassword'),
        [patterns.setPassword]: screen(() => import('#screens/set-password.tsx'), 'SetPassword'),
      }),
      {
        Component: LoggedInOnly,
        children: [
          {
            // When a dialog throws, the frame stays, as for a screen.
            element: (
              <>
                <Outlet />
                <OpenedDialog />
              </>
            ),
            ErrorBoundary: BrokenRoute,
            children: [
              ...routesTo({
                [patterns.root]: home,
                [patterns.home]: home,
                [patterns.aboutUs]: screen(() => import('#screens/about-us.tsx'), 'AboutUs'),
                [patterns.sessions]: screen(() => import('#screens/sessions.tsx'), 'Sessions'),
              }),
              { element: <RoleOnly admin={false} />, children: routesTo(userScreens) },
              { element: <RoleOnly admin />, children: routesTo(adminScreens) },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
])

export const RoutedApp = () => <RouterProvider router={router} />

/** What `VisitorsOnly` does, before anything is shown: else the page would be empty in between. */
export async function leaveLogin(): Promise<void> {
  const session = readSession()
  const { pathname, state } = router.state.location
  if (session === null || pathname !== patterns.login) return
  await router.navigate(addressAfterLogin(state, session), { replace: true })
}

/** With a session these screens lead home, or to where the visit began. See docs/BEHAVIOUR.md#routes. */
function VisitorsOnly() {
  const session = useSession()
  const { state } = useLocation()
  return session === null ? <Outlet /> : <Navigate to={addressAfterLogin(state, session)} replace />
}

const LoggedIn = lazy(async () => ({ default: (await import('./shell.tsx')).LoggedIn }))

/** Screens that need a session, inside the shell; without one they lead to the login page. */
function LoggedInOnly() {
  const session = useSession()
  const location = useLocation()
  if (session === null) return <Navigate to={patterns.login} replace state={loginState(location)} />
  return <LoggedIn session={session} />
}

/** Screens of one role; the other role gets "not found". See docs/BEHAVIOUR.md#people-and-rights. */
function RoleOnly({ admin }: { admin: boolean }) {
  return useSession()?.isAdmin === admin ? <Outlet /> : <NotFound />
}

/** An address that has another screen for each role. */
function ByRole({ admin, user }: { admin: ReactNode; user: ReactNode }) {
  return useSession()?.isAdmin ? admin : user
}
