import { Role } from '@veridict/contract/model/role'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { administratorAddedMail } from '#mail/administrator-added.ts'
import { findAllAdministrators, insertUser, type NewUser } from '#repositories/users.ts'
import { onlyAfter } from '#services/audit/changes.ts'
import { recordAudit } from '#services/audit/record-audit.ts'
import { queueNotice, type MailDeps } from '#services/mail/queue-mail.ts'

export type AddUserDeps = Pick<Deps, 'caller'> & MailDeps

/**
 * Adds a user; everybody but the people of a demo is added here. If it is a super administrator, all others
 * get an e-mail: whoever took over the account of one of them would make one more.
 */
export async function addUser(
  user: NewUser,
  trx: Transaction<Database>,
  deps: AddUserDeps,
): Promise<UserRow> {
  const added = await insertUser(trx, user)
  const { name, email: subject, phone, companyId, role } = added
  const detail = onlyAfter({ name, email: subject, phone, role })
  await recordAudit({ action: 'user.created', subject, companyId, detail }, trx, deps)
  if (role === Role.SuperAdmin) await tellOthers(added, trx, deps)
  return added
}

async function tellOthers(added: UserRow, trx: Transaction<Database>, deps: AddUserDeps): Promise<void> {
  const { actor, address: from } = deps.caller
  for (const { id, name, email } of await findAllAdministrators(trx)) {
    if (id === added.id) continue
    const about = { name, added, by: actor?.email ?? null, from }
    const mail = administratorAddedMail({ ...about, address: `${deps.env.publicUrl}/home/settings` })
    await queueNotice(email, mail, trx, deps)
  }
}
