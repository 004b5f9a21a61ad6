import { lazy, Suspense } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { NotFound } from '#screens/not-found.tsx'
import { BrokenScreen } from './broken-screen.tsx'
import { ByRole, LoggedInOnly, RoleOnly, VisitorsOnly } from './guards.tsx'
import { patterns, type screensOfRole } from './paths.ts'

const AdminHome = lazy(async () => ({ default: (await import('#screens/admin-home.tsx')).AdminHome }))
const UserHome = lazy(async () => ({ default: (await import('#screens/user-home.tsx')).UserHome }))
const home = (
  <Suspense fallback={null}>
    <ByRole admin={<AdminHome />} user={<UserHome />} />
  </Suspense>
)

const visitorScreens: RouteObject[] = [
  { path: patterns.login, lazy: async () => ({ Component: (await import('#screens/login.tsx')).Login }) },
]

/** The compiler refuses a screen that `screensOfRole` does not have. */
type ScreenOf<Role extends keyof typeof screensOfRole> = RouteObject & {
  path: (typeof screensOfRole)[Role][number]
}

const userScreens: ScreenOf<'user'>[] = [
  {
    path: patterns.fileUpload,
    lazy: async () => ({ Component: (await import('#screens/file-upload.tsx')).FileUpload }),
  },
  {
    path: patterns.fileError,
    lazy: async () => ({ Component: (await import('#screens/file-error.tsx')).FileError }),
  },
]

const adminScreens: ScreenOf<'admin'>[] = [
  {
    path: patterns.companies,
    lazy: async () => ({ Component: (await import('#screens/companies.tsx')).Companies }),
  },
  {
    path: patterns.companyCreate,
    lazy: async () => ({ Component: (await import('#screens/company-create.tsx')).CompanyCreate }),
  },
  {
    path: patterns.companyEdit,
    lazy: async () => ({ Component: (await import('#screens/company-edit.tsx')).CompanyEdit }),
  },
  {
    path: patterns.settings,
    lazy: async () => ({ Component: (await import('#screens/settings.tsx')).Settings }),
  },
  {
    path: patterns.dictionaries,
    lazy: async () => ({ Component: (await import('#screens/dictionaries.tsx')).Dictionaries }),
  },
  {
    path: patterns.dictionaryCreate,
    lazy: async () => ({ Component: (await import('#screens/dictionary-create.tsx')).DictionaryCreate }),
  },
  {
    path: patterns.dictionaryEdit,
    lazy: async () => ({ Component: (await import('#screens/dictionary-edit.tsx')).DictionaryEdit }),
  },
  {
    path: patterns.dictionaryImport,
    lazy: async () => ({ Component: (await import('#screens/dictionary-import.tsx')).DictionaryImport }),
  },
  {
    path: patterns.fieldEdit,
    lazy: async () => ({ Component: (await import('#screens/field-edit.tsx')).FieldEdit }),
  },
]

/**
 * The screens by address. Each is a chunk of its own: a company user never loads the administrators' part.
 */
export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenScreen,
    HydrateFallback: () => null,
    children: [
      { Component: VisitorsOnly, children: visitorScreens },
      {
        path: patterns.forgotPassword,
        lazy: async () => ({ Component: (await import('#screens/forgot-password.tsx')).ForgotPassword }),
      },
      {
        path: patterns.setPassword,
        lazy: async () => ({ Component: (await import('#screens/set-password.tsx')).SetPassword }),
      },
      {
        Component: LoggedInOnly,
        children: [
          {
            ErrorBoundary: BrokenScreen,
            children: [
              { path: patterns.root, element: home },
              { path: patterns.home, element: home },
              {
                path: patterns.aboutUs,
                lazy: async () => ({ Component: (await import('#screens/about-us.tsx')).AboutUs }),
              },
              {
                path: patterns.sessions,
                lazy: async () => ({ Component: (await import('#screens/sessions.tsx')).Sessions }),
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
