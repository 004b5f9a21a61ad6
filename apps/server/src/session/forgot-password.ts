import { setTimeout as sleep } from 'node:timers/promises'
import { passwordLimits } from '@veridict/contract/limits'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { countRecentResets } from '#users/password-links.ts'
import { findUserByEmail, lockUser } from '#users/users.ts'
import { isOwnBrowser } from '#session/own-browser.ts'
import type { LoginPlace } from '#session/open-session.ts'
import { refusePassword } from '#session/refuse-password.ts'
import { sendPasswordLink, type PasswordLinkDeps } from '#users/send-password-link.ts'

/** Longer than making a link takes, so that the response time does not show whether the account exists. */
const RESPONSE_MILLISECONDS = 250
/** Ids begin at 1. */
const NO_USER = 0

type Needs = PasswordLinkDeps & Pick<Deps, 'db' | 'limits'>

/**
 * Sends the link to set a new password if the e-mail belongs to a user, when it is the turn of the address or
 * known browser. The caller cannot see whether it does. Throws 429 after too many requests from one address,
 * unless this is a known browser of the user, and while too many wait.
 */
export async function forgotPassword(email: string, place: LoginPlace, deps: Needs): Promise<void> {
  refusePassword(email, deps)
  const { address, browser } = place
  const key = browser === null ? address : `${address} ${browser.browserId}`
  const { begun, userId } = await deps.limits.visitors.run(key, async () => ({
    begun: performance.now(),
    userId: await findOwner(email, place, deps),
  }))
  // After the turn: the next request of the address must not wait longer because this account exists.
  if (userId !== null) await makeReset(userId, deps)
  await sleep(Math.max(0, begun + RESPONSE_MILLISECONDS - performance.now()))
}

/** Counts the request; returns the user who gets a link. Takes as long for an e-mail without an account. */
async function findOwner(
  email: string,
  { address, browser }: LoginPlace,
  deps: Needs,
): Promise<number | null> {
  const found = await findUserByEmail(deps.db, email)
  // Counted for unknown e-mails, too: of many requests for one e-mail, those that wait behind the others
  // would show by their response times that the account exists.
  const recent = await countRecentResets(deps.db, found?.id ?? NO_USER)
  const isKnown = found !== undefined && isOwnBrowser(browser, found, deps)
  if (!isKnown) await deps.limits.resetsFromAddress.take(address)
  return found === undefined || recent >= passwordLimits.resetsPerHour ? null : found.id
}

async function makeReset(id: number, deps: Needs): Promise<void> {
  const { resets, links } = deps.limits
  const end = resets.tryBegin(String(id))
  if (end === null) return
  const make = () =>
    inTransaction(deps.db, async (trx) => {
      const user = await lockUser(trx, id)
      if (user === undefined || (await countRecentResets(trx, user.id)) >= passwordLimits.resetsPerHour)
        return
      await sendPasswordLink(user, 'reset', trx, deps)
    })
  await links.run(String(id), make).finally(end)
}
