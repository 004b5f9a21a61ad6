import type { Access } from '@veridict/contract/api/endpoint'
import { Role } from '@veridict/contract/model/role'
import type { Viewer } from '#policies/viewer.ts'

/** Roles that each kind of access admits. Spec §6; api.md, "Conventions". */
const admitted: Readonly<Record<Exclude<Access, 'public'>, readonly Role[]>> = {
  loggedIn: [Role.CompanyUser, Role.SuperAdmin],
  companyUser: [Role.CompanyUser],
  superAdmin: [Role.SuperAdmin],
}

/** Whether a logged-in person may make calls of this kind of access. */
export const mayCall = (access: Access, viewer: Pick<Viewer, 'role'>): boolean =>
  access === 'public' || admitted[access].includes(viewer.role)

/** Nobody deletes, or resets the password of, their own account. Spec §6. */
export const isOwnAccount = (userId: number, viewer: Pick<Viewer, 'userId'>): boolean =>
  userId === viewer.userId
