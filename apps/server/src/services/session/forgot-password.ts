import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { countRecentResets } from '#repositories/password-links.ts'
import { findUserByEmail, lockUser } from '#repositories/users.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#services/users/send-password-link.ts'

/** Letters to one person in an hour, however often somebody asks (reliability, probe 12). */
const MAX_RESETS_PER_HOUR = 3
/**
 * Longer than making a link takes: whether there is an account cannot be told from the time either (probe
 * 10).
 */
const ANSWER_MILLISECONDS = 250

/**
 * Sends the e-mail to set a new password where the address belongs to somebody. Nothing tells the caller
 * whether it does.
 */
export async function forgotPassword(
  email: string,
  deps: PasswordLinkDeps & Pick<Deps, 'db'>,
): Promise<void> {
  await Promise.all([sendReset(email, deps), sleep(ANSWER_MILLISECONDS)])
}

async function sendReset(email: string, deps: PasswordLinkDeps & Pick<Deps, 'db'>): Promise<void> {
  const found = await findUserByEmail(deps.db, email)
  if (found === undefined) return
  await inTransaction(deps.db, async (trx) => {
    const user = await lockUser(trx, found.id)
    if (user === undefined || (await countRecentResets(trx, user.id)) >= MAX_RESETS_PER_HOUR) return
    await sendPasswordLink(user, 'reset', trx, deps)
  })
}
