import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { readUser, UserItem } from '@veridict/contract/api/users'
import { Role } from '@veridict/contract/model/role'
import type { UserRow } from '#platform/database/tables.ts'
import { userEtag } from '#platform/etags.ts'

export const presentUserItem = (user: UserRow): UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})

export const presentUser = (user: UserRow): ReplyOf<typeof readUser> => ({
  ...presentUserItem(user),
  companyId: user.companyId,
  isSuperAdmin: user.role === Role.SuperAdmin,
})
