import { Role } from '@veridict/contract/model/role'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { administratorsChangedMail } from '#users/administrators-changed.ts'
import { findAllAdministrators } from '#users/users.ts'
import { queueNotice, type MailDeps } from '#mail/queue-mail.ts'

export type TellAdministratorsDeps = Pick<Deps, 'caller'> & MailDeps

/**
 * If a super administrator was added (`before` is null), deleted or given another e-mail, tells all others
 * and the earlier e-mail: an attacker who has the account of one of them would take another.
 */
export async function tellAdministrators(
  before: UserRow | null,
  after: UserRow,
  trx: Transaction<Database>,
  deps: TellAdministratorsDeps,
): Promise<void> {
  if (after.role !== Role.SuperAdmin) return
  const { actor, address: from } = deps.caller
  const others = (await findAllAdministrators(trx)).filter(({ id }) => id !== after.id)
  for (const { name, email } of before === null ? others : [...others, before]) {
    const about = { name, before, after, by: actor?.email ?? null, from }
    const mail = administratorsChangedMail({ ...about, address: `${deps.env.publicUrl}/home/settings` })
    await queueNotice(email, mail, trx, deps)
  }
}
