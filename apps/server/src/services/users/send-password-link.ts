import { sessionTimes } from '@veridict/contract/limits'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { guessingMail, invitationMail, newAddressMail, passwordResetMail } from '#mail/password-mails.ts'
import { addPasswordLink, invalidatePasswordLinks } from '#repositories/password-links.ts'
import { created } from '#services/audit/changes.ts'
import { recordAudit } from '#services/audit/record-audit.ts'
import { queueMail } from '#services/mail/queue-mail.ts'

export type PasswordLinkDeps = Pick<Deps, 'ids' | 'tokens' | 'clock' | 'jobs' | 'env' | 'caller'>

const purposes = {
  invitation: { kind: 'invitation', life: sessionTimes.invitationLink, mailOf: invitationMail },
  newAddress: { kind: 'invitation', life: sessionTimes.invitationLink, mailOf: newAddressMail },
  reset: { kind: 'reset', life: sessionTimes.resetLink, mailOf: passwordResetMail },
  guessing: { kind: 'reset', life: sessionTimes.resetLink, mailOf: guessingMail },
} as const

/**
 * Creates a link to set a password and queues its e-mail. It replaces all older links of the user. The
 * database keeps only a hash; only the e-mail contains the link.
 */
export async function sendPasswordLink(
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'companyId'>,
  purpose: keyof typeof purposes,
  trx: Transaction<Database>,
  deps: PasswordLinkDeps,
): Promise<void> {
  const { kind, life, mailOf } = purposes[purpose]
  const secret = deps.ids.secret()
  const expiresAt = new Date(deps.clock.now().getTime() + life)
  await invalidatePasswordLinks(trx, user.id)
  await addPasswordLink(trx, {
    userId: user.id,
    purpose: kind,
    tokenHash: deps.tokens.hashSecret(secret),
    expiresAt,
    usedAt: null,
  })
  const query = new URLSearchParams({ email: user.email, token: secret })
  const address = `${deps.env.publicUrl}/set-password?${query}`
  await queueMail(user.email, mailOf({ name: user.name, address }), trx, deps)
  const about = { subject: user.email, companyId: user.companyId, detail: created({ purpose }) }
  await recordAudit({ action: 'link.sent', ...about }, trx, deps)
}
