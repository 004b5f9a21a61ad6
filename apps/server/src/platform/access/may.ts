import type { Access } from '@veridict/contract/api/endpoint'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Role } from '@veridict/contract/model/role'
import type { TokenScope } from '@veridict/contract/model/token-scope'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'

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

/** Whether a logged-in user, or a token, may make calls of this kind of access. */
export const mayCall = (access: Access, viewer: Right): boolean =>
  access === 'public' || admitted[access].includes(viewer.role === 'token' ? viewer.scope : viewer.role)

/** Why a viewer may not make a call. */
export const reasonOfRefusal = (viewer: Right): string =>
  viewer.role === 'token' ? companyTokenMessages.notInScope[viewer.scope] : sessionMessages.notAllowed

/** Users may not delete their own account or reset its password. */
export const isOwnAccount = (userId: number, viewer: Pick<Viewer, 'userId'>): boolean =>
  userId === viewer.userId
