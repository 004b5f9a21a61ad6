import { Role } from '@veridict/contract/model/role'
import type { Deps } from '#deps.ts'
import { composeMail, formatTime, type MailMessage } from '#mail/mail-message.ts'
import { type MailDeps, queueMail } from '#mail/queue-mail.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { findAllAdministrators } from '#users/users.ts'

export type TellAdministratorsDeps = Pick<Deps, 'caller'> & MailDeps

/** Tells all others, and the earlier e-mail (`before`; null: added): an attacker may take another account. */
export async function tellAdministrators(
  before: UserRow | null,
  after: UserRow,
  trx: Trx,
  deps: TellAdministratorsDeps,
): Promise<void> {
  if (after.role !== Role.SuperAdmin) return
  const { actor, address: from } = deps.caller
  const others = (await findAllAdministrators(trx)).filter(({ id }) => id !== after.id)
  for (const { name, email } of before === null ? others : [...others, before]) {
    const about = { name, before, after, by: actor?.email ?? null, from }
    const mail = administratorsChangedMail({ ...about, address: `${deps.env.publicUrl}/home/settings` })
    await queueMail(email, mail, trx, deps)
  }
}

type ChangedAdministrator = {
  /** Name of the reader. */
  name: string
  /** null for one that was added. */
  before: { email: string } | null
  after: { name: string; email: string; updatedAt: Date; deletedAt: Date | null }
  /** The e-mail of who did it; null for the operator, who uses a command or a setting. */
  by: string | null
  /** The address from which it was done; null for the operator. */
  from: string | null
  /** The URL of the list of administrators. */
  address: string
}

/** Also to the earlier e-mail. See docs/BEHAVIOUR.md#people-and-rights. */
export function administratorsChangedMail(change: ChangedAdministrator): MailMessage {
  const { name, before, after, by, from, address } = change
  const { what, effect } = describe(change)
  return composeMail({
    subject: `A super administrator ${what}: ${after.email}`,
    name,
    opening: [
      `${effect} If you know why, there is nothing that you have to do.`,
      'If not, delete accounts that you do not know at once, and ask the person who did it, whose own ' +
        'account may be in the hands of somebody else.',
    ],
    facts: [
      ['Name', after.name],
      ...(before === null || before.email === after.email ? [] : [['Earlier e-mail', before.email] as const]),
      ['E-mail', after.email],
      ['Done by', by ?? 'the operator of the server, with a command or a setting'],
      ...(from === null ? [] : [['From the address', from] as const]),
      ['Time', formatTime(after.deletedAt ?? after.updatedAt)],
    ],
    action: { label: 'Open the administrators', address },
  })
}

function describe({ before, after }: ChangedAdministrator): { what: string; effect: string } {
  if (before === null)
    return {
      what: 'was added',
      effect:
        'One more person can now manage all companies, users and data dictionaries of the Veridict portal.',
    }
  if (after.deletedAt !== null)
    return { what: 'was deleted', effect: 'This person can no longer log in to the Veridict portal.' }
  return {
    what: 'has another e-mail',
    effect:
      'Whoever reads that e-mail can now set a password and manage all companies, users and data ' +
      'dictionaries of the Veridict portal.',
  }
}
