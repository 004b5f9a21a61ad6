import { setTimeout as sleep } from 'node:timers/promises'
import { passwordLimits } from '@veridict/contract/limits'
import type { UserRow } from '#db/tables.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { countRecentResets } from '#repositories/password-links.ts'
import { findUserByEmail, lockUser } from '#repositories/users.ts'
import { isOwnBrowser } from '#services/session/own-browser.ts'
import type { LoginPlace } from '#services/session/open-session.ts'
import { refusePassword } from '#services/session/refuse-password.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#services/users/send-password-link.ts'

/** Longer than making a link takes, so that the response time does not show whether the account exists. */
const RESPONSE_MILLISECONDS = 250

/**
 * Sends the link to set a new password if the e-mail belongs to a user. The caller cannot see whether it
 * does. Throws 429 after too many requests from one address, unless this is a known browser of the user.
 */
export async function forgotPassword(
  email: string,
  { address, browser }: LoginPlace,
  deps: PasswordLinkDeps & Pick<Deps, 'db' | 'limits'>,
): Promise<void> {
  refusePassword(email, deps)
  const found = await findUserByEmail(deps.db, email)
  const isKnown = found !== undefined && isOwnBrowser(browser, found, deps)
  if (!isKnown) await deps.limits.resetsFromAddress.take(address)
  await Promise.all([sendReset(found, deps), sleep(RESPONSE_MILLISECONDS)])
}

async function sendReset(
  found: UserRow | undefined,
  deps: PasswordLinkDeps & Pick<Deps, 'db' | 'limits'>,
): Promise<void> {
  // One at a time for each account: parallel requests would wait for each other, and their slower responses
  // would show that the account exists.
  const end = found === undefined ? null : deps.limits.resets.tryBegin(String(found.id))
  if (found === undefined || end === null) return
  await makeReset(found.id, deps).finally(end)
}

async function makeReset(id: number, deps: PasswordLinkDeps & Pick<Deps, 'db'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const user = await lockUser(trx, id)
    if (user === undefined || (await countRecentResets(trx, user.id)) >= passwordLimits.resetsPerHour) return
    await sendPasswordLink(user, 'reset', trx, deps)
  })
}
