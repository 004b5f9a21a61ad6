import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { createBrowserRouter, type RouteObject, useRouteError } from 'react-router'
import { whileBusy } from '#lib/http/busy-counter.ts'
import { Login } from '#screens/login.tsx'
import { NotFound } from '#screens/not-found.tsx'
import { BrokenScreen } from './broken-screen.tsx'
import { ByRole, LoggedInOnly, RoleOnly, VisitorsOnly } from './guards.tsx'
import { loadParts } from './parts.ts'
import { patterns, type screensOfRole } from './paths.ts'

/**
 * A screen that is loaded when it is shown, which is after the guards around it: a company user never loads
 * the administrators' part, whatever address they open.
 */
function screen(load: () => Promise<ComponentType>): ReactNode {
  // The loading bar says that something comes: on a slow line the page is empty for seconds.
  const Screen = lazy(async () => ({ default: await whileBusy(load) }))
  return (
    <Suspense fallback={null}>
      <Screen />
    </Suspense>
  )
}

const home = (
  <ByRole
    admin={screen(async () => (await import('#screens/admin-home.tsx')).AdminHome)}
    user={screen(async () => (await loadParts.userHome()).UserHome)}
  />
)

/** The compiler refuses a screen that `screensOfRole` does not have. */
type ScreenOf<Role extends keyof typeof screensOfRole> = RouteObject & {
  path: (typeof screensOfRole)[Role][number]
}

const userScreens: ScreenOf<'user'>[] = [
  {
    path: patterns.fileUpload,
    element: screen(async () => (await import('#screens/file-upload.tsx')).FileUpload),
  },
  {
    path: patterns.fileError,
    element: screen(async () => (await import('#screens/file-error.tsx')).FileError),
  },
  { path: patterns.receipt, element: screen(async () => (await import('#screens/receipt.tsx')).Receipt) },
]

const adminScreens: ScreenOf<'admin'>[] = [
  {
    path: patterns.companies,
    element: screen(async () => (await import('#screens/companies.tsx')).Companies),
  },
  {
    path: patterns.companyCreate,
    element: screen(async () => (await import('#screens/company-create.tsx')).CompanyCreate),
  },
  {
    path: patterns.companyEdit,
    element: screen(async () => (await import('#screens/company-edit.tsx')).CompanyEdit),
  },
  { path: patterns.settings, element: screen(async () => (await import('#screens/settings.tsx')).Settings) },
  {
    path: patterns.auditTrail,
    element: screen(async () => (await import('#screens/audit-trail.tsx')).AuditTrail),
  },
  { path: patterns.mails, element: screen(async () => (await import('#screens/mails.tsx')).Mails) },
  {
    path: patterns.dictionaries,
    element: screen(async () => (await import('#screens/dictionaries.tsx')).Dictionaries),
  },
  {
    path: patterns.dictionaryCreate,
    element: screen(async () => (await import('#screens/dictionary-create.tsx')).DictionaryCreate),
  },
  {
    path: patterns.dictionaryEdit,
    element: screen(async () => (await import('#screens/dictionary-edit.tsx')).DictionaryEdit),
  },
  {
    path: patterns.dictionaryImport,
    element: screen(async () => (await import('#screens/dictionary-import.tsx')).DictionaryImport),
  },
  {
    path: patterns.fieldEdit,
    element: screen(async () => (await import('#screens/field-edit.tsx')).FieldEdit),
  },
]

function BrokenRoute() {
  return <BrokenScreen error={useRouteError()} />
}

/**
 * The screens by address. Each is a chunk of its own.
 */
export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenRoute,
    HydrateFallback: () => null,
    children: [
      { Component: VisitorsOnly, children: [{ path: patterns.login, Component: Login }] },
      {
        path: patterns.forgotPassword,
        element: screen(async () => (await import('#screens/forgot-password.tsx')).ForgotPassword),
      },
      {
        path: patterns.setPassword,
        element: screen(async () => (await import('#screens/set-password.tsx')).SetPassword),
      },
      {
        Component: LoggedInOnly,
        children: [
          {
            ErrorBoundary: BrokenRoute,
            children: [
              { path: patterns.root, element: home },
              { path: patterns.home, element: home },
              {
                path: patterns.aboutUs,
                element: screen(async () => (await import('#screens/about-us.tsx')).AboutUs),
              },
              {
                path: patterns.sessions,
                element: screen(async () => (await import('#screens/sessions.tsx')).Sessions),
              },
              { element: <RoleOnly admin={false} />, children: userScreens },
              { element: <RoleOnly admin />, children: adminScreens },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
])
