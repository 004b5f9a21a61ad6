import { sessionTimes } from '@veridict/contract/limits'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import {
  guessingMail,
  invitationMail,
  newAddressMail,
  passwordResetMail,
  signOnMail,
} from '#users/password-mails.ts'
import { mayUsePassword } from '#users/password-login.ts'
import { addPasswordLink, invalidatePasswordLinks } from '#users/password-links.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { queueMail } from '#mail/queue-mail.ts'

export type PasswordLinkDeps = Pick<Deps, 'ids' | 'tokens' | 'clock' | 'jobs' | 'env' | 'caller' | 'tracing'>

const purposes = {
  invitation: { kind: 'invitation', life: sessionTimes.invitationLink, mailOf: invitationMail },
  newAddress: { kind: 'invitation', life: sessionTimes.invitationLink, mailOf: newAddressMail },
  reset: { kind: 'reset', life: sessionTimes.resetLink, mailOf: passwordResetMail },
  guessing: { kind: 'reset', life: sessionTimes.resetLink, mailOf: guessingMail },
} as const

/**
 * Creates a link to set a password and queues its e-mail. It replaces the older links of the user, but a
 * reset does not replace an invitation: anyone who knows the e-mail can ask for a reset, and it expires
 * sooner. The database stores only a hash; only the e-mail contains the link, whose time begins when it is
 * sent.
 */
export async function sendPasswordLink(
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'companyId'>,
  purpose: keyof typeof purposes,
  trx: Transaction<Database>,
  deps: PasswordLinkDeps,
): Promise<void> {
  if (!mayUsePassword(user.email, deps.env)) {
    await invalidatePasswordLinks(trx, user.id)
    const mail = signOnMail({ name: user.name, address: `${deps.env.publicUrl}/login` })
    await queueMail(user.email, mail, trx, deps)
    return
  }
  const { kind, life, mailOf } = purposes[purpose]
  await invalidatePasswordLinks(trx, user.id, kind === 'reset' ? kind : undefined)
  const secret = deps.ids.secret()
  const query = new URLSearchParams({ email: user.email, token: secret })
  const address = `${deps.env.publicUrl}/set-password?${query}`
  const mailId = await queueMail(user.email, mailOf({ name: user.name, address }), trx, deps)
  await addPasswordLink(trx, {
    userId: user.id,
    purpose: kind,
    tokenHash: deps.tokens.hashSecret(secret),
    // Until the e-mail is handed over, in case that it is and the mail server's reply is lost.
    expiresAt: new Date(deps.clock.now().getTime() + life),
    usedAt: null,
    mailId,
    lifeSeconds: life / 1000,
  })
  const about = { subject: user.email, companyId: user.companyId, detail: onlyAfter({ purpose }) }
  await recordAudit({ action: 'link.sent', ...about }, trx, deps)
}
