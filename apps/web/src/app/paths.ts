/** Every address of the portal. `patterns` is for the router, `paths` builds links. Spec §2. */
export const patterns = {
  login: '/login',
  forgotPassword: '/forgotPassword',
  setPassword: '/set-password',
  root: '/',
  home: '/home',
  aboutUs: '/about-us',
  fileUpload: '/home/fileUpload',
  fileError: '/home/fileError/:id',
  companies: '/home/companies',
  companyCreate: '/home/company/create',
  companyEdit: '/home/company/edit/:companyId',
  settings: '/home/settings',
  dictionaries: '/home/dictionaries',
  dictionaryCreate: '/home/dictionary/create',
  dictionaryEdit: '/home/dictionary/edit/:slug',
  dictionaryImport: '/home/dictionary/importdictionaries',
  fieldEdit: '/home/dictionary/field/:slug',
} as const

export const paths = {
  ...patterns,
  fileError: (id: number) => `/home/fileError/${id}`,
  companyEdit: (companyId: number) => `/home/company/edit/${companyId}`,
  /** `slug` is the encoded dictionary id (`contract/notation/dictionary-slug`). */
  dictionaryEdit: (slug: string) => `/home/dictionary/edit/${slug}`,
  fieldEdit: (slug: string, fieldId?: number) => `/home/dictionary/field/${slug}${fieldId === undefined ? '' : `?fieldId=${fieldId}`}`,
} as const
