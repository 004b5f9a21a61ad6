import { dictionarySlug } from '@veridict/contract/notation/dictionary-slug'

const everybody = {
  login: '/login',
  forgotPassword: '/forgotPassword',
  setPassword: '/set-password',
  root: '/',
} as const
const bothRoles = { home: '/home', sessions: '/home/sessions', aboutUs: '/about-us' } as const
const users = {
  ...bothRoles,
  fileUpload: '/home/fileUpload',
  fileError: '/home/fileError/:id',
  receipt: '/home/receipt/:id',
} as const
const admins = {
  ...bothRoles,
  companies: '/home/companies',
  companyCreate: '/home/company/create',
  companyEdit: '/home/company/edit/:companyId',
  settings: '/home/settings',
  mails: '/home/mails',
  operation: '/home/operation',
  auditTrail: '/home/auditTrail',
  dictionaries: '/home/dictionaries',
  dictionaryCreate: '/home/dictionary/create',
  dictionaryEdit: '/home/dictionary/edit/:slug',
  dictionaryImport: '/home/dictionary/importdictionaries',
  fieldEdit: '/home/dictionary/field/:slug',
  ruleEdit: '/home/dictionary/rule/:slug',
} as const

/** `patterns` is for the router, `paths` builds links. See docs/BEHAVIOUR.md#routes. */
export const patterns = { ...everybody, ...users, ...admins } as const

/** The screens that each role can be led to after a login. */
export const screensOfRole = { user: Object.values(users), admin: Object.values(admins) } as const

export const paths = {
  ...patterns,
  fileError: (id: number) => `/home/fileError/${id}`,
  receipt: (id: number) => `/home/receipt/${id}`,
  /** The upload screen with a dictionary chosen. */
  correctedUpload: (dictionaryId: number) => `${patterns.fileUpload}?dictionary=${dictionaryId}`,
  companyEdit: (companyId: number) => `/home/company/edit/${companyId}`,
  /** `slug` is the encoded dictionary id (`contract/notation/dictionary-slug`). */
  dictionaryEdit: (slug: string) => `/home/dictionary/edit/${slug}`,
  fieldEdit: (slug: string, fieldId?: number) =>
    `/home/dictionary/field/${slug}${fieldId === undefined ? '' : `?fieldId=${fieldId}`}`,
  /** Without a name it adds a rule. */
  ruleEdit: (slug: string, edited: { rule?: string; copy?: string; part?: 'exemption' } = {}) => {
    const query = String(new URLSearchParams(edited))
    return `/home/dictionary/rule/${slug}${query === '' ? '' : `?${query}`}`
  },
} as const

/** Screens that others are below, as steps of the breadcrumbs. */
export const crumbs = {
  home: { label: 'Home', to: patterns.home },
  companies: { label: 'Companies', to: patterns.companies },
  dictionaries: { label: 'Data dictionaries', to: patterns.dictionaries },
} as const

/** One slug per dictionary while the page is open, so that a link does not change with each render. */
const slugs = new Map<number, string>()

/** Address of a dictionary's edit screen: its id, encoded behind random characters. */
export function dictionaryPath(id: number): string {
  const slug = slugs.get(id) ?? dictionarySlug(id, randomUuid())
  slugs.set(id, slug)
  return paths.dictionaryEdit(slug)
}

/** `crypto.randomUUID` exists on secure origins only. The characters need not be hard to guess. */
function randomUuid(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
