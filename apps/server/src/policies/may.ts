import type { Access } from '@veridict/contract/api/endpoint'
import { Role } from '@veridict/contract/model/role'
import type { TokenViewer, Viewer } from '#policies/viewer.ts'

/** The roles of each kind of access. */
const admitted: Readonly<Record<Exclude<Access, 'public'>, readonly (Viewer | TokenViewer)['role'][]>> = {
  loggedIn: [Role.CompanyUser, Role.SuperAdmin],
  companyUser: [Role.CompanyUser],
  uploader: [Role.CompanyUser, 'token'],
  superAdmin: [Role.SuperAdmin],
}

/** Whether a logged-in user, or a token, may make calls of this kind of access. */
export const mayCall = (access: Access, viewer: Pick<Viewer | TokenViewer, 'role'>): boolean =>
  access === 'public' || admitted[access].includes(viewer.role)

/** Users may not delete their own account or reset its password. */
export const isOwnAccount = (userId: number, viewer: Pick<Viewer, 'userId'>): boolean =>
  userId === viewer.userId
