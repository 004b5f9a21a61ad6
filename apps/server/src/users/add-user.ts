import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#platform/database/tables.ts'
import { insertUser, type NewUser } from '#users/users.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { tellAdministrators, type TellAdministratorsDeps } from '#users/tell-administrators.ts'

/** Adds a user. Only the seed of a demo adds users in another way. */
export async function addUser(
  user: NewUser,
  trx: Transaction<Database>,
  deps: TellAdministratorsDeps,
): Promise<UserRow> {
  const added = await insertUser(trx, user)
  const { name, email: subject, phone, companyId, role } = added
  const detail = onlyAfter({ name, email: subject, phone, role })
  await recordAudit({ action: 'user.created', subject, companyId, detail }, trx, deps)
  await tellAdministrators(null, added, trx, deps)
  return added
}
