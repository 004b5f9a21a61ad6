import type { UserDeletion } from '@veridict/contract/api/users'
import { Role } from '@veridict/contract/model/role'
import type { Deps } from '#deps.ts'
import { countUserFiles } from '#repositories/deletion-counts.ts'
import { readUser } from '#services/users/read-user.ts'

/** What would stay of a user after `deleteUser`. Throws 404 when there is no such user. */
export async function previewUserDeletion(id: number, deps: Pick<Deps, 'db'>): Promise<UserDeletion> {
  const { role } = await readUser(id, deps)
  return { isSuperAdmin: role === Role.SuperAdmin, ...(await countUserFiles(deps.db, id)) }
}
