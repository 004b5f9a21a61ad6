import { setTimeout as sleep } from 'node:timers/promises'
import { passwordLimits } from '@veridict/contract/limits'
import { sessionMessages } from '@veridict/contract/messages/session'
import { recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { badRequest, invalid } from '#errors.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { isOwnBrowser, refusePassword } from '#session/count-guess.ts'
import type { LoginPlace } from '#session/open-session.ts'
import { forgetAddresses, rememberAddress } from '#session/wrong-passwords.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'
import {
  countRecentResets,
  findUserOfLink,
  invalidatePasswordLinks,
  markLinkUsed,
} from '#users/password-links.ts'
import { passwordProblem } from '#users/password-problem.ts'
import { type PasswordLinkDeps, sendPasswordLink } from '#users/send-password-link.ts'
import { findUserByEmail, lockUser, setPasswordHash } from '#users/users.ts'

type NewPassword = { email: string; token: string; newPassword: string }

/**
 * Sets the password of the link's user, whom it returns, and ends all their sessions. Throws the same 400
 * for a link that is unknown, used, expired, replaced by a newer one, or sent to another address, and 429
 * after too many of them from one address; 400 with `errors` for a password that is easy to guess. `address`
 * is the caller's (`caller-address.ts`): who has the link may log in from there, however many wrong
 * passwords were tried.
 */
export async function setPassword(
  request: NewPassword,
  address: string,
  deps: Pick<Deps, 'db' | 'bus' | 'passwords' | 'passwordQueue' | 'tokens' | 'limits' | 'caller' | 'env'>,
): Promise<Pick<UserRow, 'id' | 'passwordHash'>> {
  refusePassword(request.email, deps)
  const tokenHash = deps.tokens.hashSecret(decoded(request.token))
  const link = await findUserOfLink(deps.db, tokenHash, request.email)
  if (link === undefined) {
    // Only links that do not work count, so that people with the same address can use theirs.
    await deps.limits.visitors.run(address, () => deps.limits.resetsFromAddress.take(address))
    throw badRequest(sessionMessages.spentResetLink)
  }
  const problem = passwordProblem(request.newPassword, link)
  if (problem !== null) throw invalid('newPassword', problem)
  const caller = { address, known: { userId: link.userId, browserId: 'of a link' } }
  const passwordHash = await deps.passwordQueue.run(caller, () => deps.passwords.hash(request.newPassword))
  await inTransaction(deps.db, async (trx) => {
    const isValid = (await lockUser(trx, link.userId)) && (await markLinkUsed(trx, tokenHash))
    if (!isValid) throw badRequest(sessionMessages.spentResetLink)
    await invalidatePasswordLinks(trx, link.userId)
    await setPasswordHash(trx, link.userId, passwordHash)
    const owner = { id: link.userId, email: link.email, companyId: link.companyId }
    const about = { subject: link.email, actor: owner, companyId: link.companyId }
    await recordAudit({ action: 'password.set', ...about }, trx, deps)
    await endUserSessions(owner, 'the password was set', trx, deps)
    // An attacker with the former password may have made any number of addresses known.
    await forgetAddresses(trx, link.userId)
    await rememberAddress(trx, { userId: link.userId, address })
  })
  return { id: link.userId, passwordHash }
}

/**
 * Clients may send the token still URL-encoded. Tokens contain no '%', so decoding a plain one changes
 * nothing.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

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
  const end = resets.tryEnter(String(id))
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
