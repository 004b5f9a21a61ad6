import { sessionTimes } from '@veridict/contract/limits'
import type { Transaction } from 'kysely'
import type { Database, UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { invitationMail } from '#mail/invitation.ts'
import { passwordResetMail } from '#mail/password-reset.ts'
import { addPasswordLink, invalidatePasswordLinks } from '#repositories/password-links.ts'
import { queueMail } from '#services/mail/queue-mail.ts'

export type PasswordLinkDeps = Pick<Deps, 'ids' | 'tokens' | 'clock' | 'jobs' | 'env'>

const purposes = {
  invitation: { life: sessionTimes.invitationLink, letter: invitationMail },
  reset: { life: sessionTimes.resetLink, letter: passwordResetMail },
} as const

/**
 * Makes a link with which the user sets a password, and posts it. It replaces all older links of the user.
 * The database keeps only a hash; the link itself stands nowhere but in the letter.
 */
export async function sendPasswordLink(
  user: Pick<UserRow, 'id' | 'name' | 'email'>,
  purpose: keyof typeof purposes,
  trx: Transaction<Database>,
  deps: PasswordLinkDeps,
): Promise<void> {
  const { life, letter } = purposes[purpose]
  const secret = deps.ids.secret()
  const expiresAt = new Date(deps.clock.now().getTime() + life)
  await invalidatePasswordLinks(trx, user.id)
  await addPasswordLink(trx, {
    userId: user.id,
    purpose,
    tokenHash: deps.tokens.hashSecret(secret),
    expiresAt,
    usedAt: null,
  })
  const address = `${deps.env.publicUrl}/set-password?${new URLSearchParams({ email: user.email, token: secret })}`
  await queueMail(user.email, letter({ name: user.name, address }), trx, deps)
}
