import type { Access } from '@veridict/contract/api/endpoint'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Role } from '@veridict/contract/model/role'
import type { TokenScope } from '@veridict/contract/model/token-scope'
import type { Db } from '#platform/database/tables.ts'

/** Read from the database in this request. `companyId` is null for super administrators. */
export type Viewer = {
  userId: number
  companyId: number | null
  role: Role
  sessionId: string
  name: string
  email: string
} & MayUpload

/** Why nobody of the company may upload at the moment; null: they may. */
export type MayUpload = { uploadStop: string | null }

export type CompanyViewer = Viewer & { companyId: number }

/** A program that calls with a token of a company. `name` is the token's. */
export type TokenViewer = {
  tokenId: number
  companyId: number
  role: 'token'
  scope: TokenScope
  name: string
} & MayUpload

export type Uploader = CompanyViewer | TokenViewer

/** The key of a person or a token in limits and turns. */
export const personKey = (viewer: Pick<Viewer, 'userId'> | Pick<TokenViewer, 'tokenId'>): string =>
  'tokenId' in viewer ? `token ${viewer.tokenId}` : String(viewer.userId)

/** One of the two is null. */
export type UploaderIds = { userId: number | null; tokenId: number | null }

export const uploaderIds = (
  uploader: Pick<CompanyViewer, 'userId'> | Pick<TokenViewer, 'tokenId'>,
): UploaderIds =>
  'tokenId' in uploader
    ? { userId: null, tokenId: uploader.tokenId }
    : { userId: uploader.userId, tokenId: null }

/** Whose submissions a clerk sees: all of the company, or only the clerk's own. */
type HistoryScope = 'company' | 'user'

/**
 * Submissions that a viewer may see; if `userId` or `tokenId` is not null, only those of this user or token.
 * A token that may only upload sees its own: names of other files may name people.
 */
export type Scope = { companyId: number } & UploaderIds

export const scopeOf = (
  viewer: Pick<CompanyViewer, 'companyId' | 'userId'> | Pick<TokenViewer, 'companyId' | 'tokenId' | 'scope'>,
  history: HistoryScope,
): Scope => ({
  companyId: viewer.companyId,
  ...(history === 'user' || ('tokenId' in viewer && viewer.scope === 'upload')
    ? uploaderIds(viewer)
    : { userId: null, tokenId: null }),
})

export const inScope = (db: Db, scope: Scope) =>
  db
    .selectFrom('submissions')
    .where('companyId', '=', scope.companyId)
    .$if(scope.userId !== null, (query) => query.where('userId', '=', scope.userId))
    .$if(scope.tokenId !== null, (query) => query.where('tokenId', '=', scope.tokenId))

/** Who causes a change; `actor` and `address` are null for the portal, a public call has only an address. */
export type Caller = {
  actor: { id: number; email: string } | null
  /** The name of the token, which is no actor. */
  token?: string
  companyId: number | null
  address: string | null
}

/** The caller of jobs and of commands of the operator. */
export const portalItself: Caller = { actor: null, companyId: null, address: null }

/** The roles of people and the scopes of tokens of each kind of access. */
const admitted: Readonly<Record<Exclude<Access, 'public'>, readonly (Role | TokenScope)[]>> = {
  loggedIn: [Role.CompanyUser, Role.SuperAdmin],
  companyUser: [Role.CompanyUser],
  superAdmin: [Role.SuperAdmin],
  uploader: [Role.CompanyUser, 'upload', 'both'],
  reader: [Role.CompanyUser, 'read', 'both'],
  uploaderOrReader: [Role.CompanyUser, 'upload', 'read', 'both'],
}

type Right = Pick<Viewer, 'role'> | Pick<TokenViewer, 'role' | 'scope'>

export const mayCall = (access: Access, viewer: Right): boolean =>
  access === 'public' || admitted[access].includes(viewer.role === 'token' ? viewer.scope : viewer.role)

export const reasonOfRefusal = (viewer: Right): string =>
  viewer.role === 'token' ? companyTokenMessages.notInScope[viewer.scope] : sessionMessages.notAllowed

/** Users may not delete their own account or reset its password. */
export const isOwnAccount = (userId: number, viewer: Pick<Viewer, 'userId'>): boolean =>
  userId === viewer.userId
