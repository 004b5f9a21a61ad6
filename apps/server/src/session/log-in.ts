import { setTimeout as sleep } from 'node:timers/promises'
import type { UserTokens } from '@veridict/contract/api/session'
import type { LoginForm } from '@veridict/contract/forms/login'
import { passwordLimits } from '@veridict/contract/limits'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RateLimits } from '#platform/admission/rate-limits.ts'
import { tooManyRequests, unauthorized, badRequest, invalid } from '#errors.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { FAILURES_LEFT_OUT, setMark } from '#platform/database/marks.ts'
import { findUserByEmail, lockUser, setPasswordHash } from '#users/users.ts'
import { removeWrongPassword, forgetAddresses, rememberAddress } from '#session/wrong-passwords.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { countGuess, type Guess, isOwnBrowser, refusePassword, warnOfGuessing } from '#session/count-guess.ts'
import { endOneSession, ownerOf, endUserSessions } from '#users/end-user-sessions.ts'
import { openSession, type LoginPlace, type OpenSessionDeps } from '#session/open-session.ts'
import { type PasswordLinkDeps, sendPasswordLink } from '#users/send-password-link.ts'
import {
  countRecentResets,
  findUserOfLink,
  invalidatePasswordLinks,
  markLinkUsed,
} from '#users/password-links.ts'
import { passwordProblem } from '#users/password-problem.ts'

type LogInDeps = Pick<Deps, 'passwords' | 'passwordQueue' | 'metrics'> & OpenSessionDeps & PasswordLinkDeps

/**
 * `place.address`: see `platform/http/caller-address.ts`. Throws 401 for an unknown address and a wrong
 * password, in the same time; 429, without a check, after too many wrong ones or while too many logins wait;
 * 429 after too many logins of this user; 403 with single sign-on only. See docs/BEHAVIOUR.md#guessing.
 */
export async function logIn(
  form: LoginForm,
  place: LoginPlace,
  deps: LogInDeps,
): Promise<{ user: UserRow; tokens: UserTokens }> {
  refusePassword(form.email, deps)
  const { address, browser } = place
  const user = await deps.passwordQueue.run({ address, known: browser }, () =>
    checkCredentials(form, place, deps),
  )
  return { user, tokens: await openSession(user, place, deps) }
}

/** The user whose e-mail and password these are. Throws 401 or 429. */
async function checkCredentials(
  { email, password }: LoginForm,
  { address, browser }: LoginPlace,
  deps: LogInDeps,
): Promise<UserRow> {
  const user = await findUserByEmail(deps.db, email)
  const isKnown = user !== undefined && isOwnBrowser(browser, user, deps)
  const guess = {
    account: user === undefined ? email.normalize('NFKC').toLowerCase() : `${user.id}`,
    user,
    address,
    browserId: isKnown ? browser.browserId : null,
  }
  const attempt = await countAttempt(guess, deps.limits)
  const counted = await countGuess(guess, attempt.secondsOfAddress, deps)
  const matches = await deps.passwords.matches(password, user?.passwordHash ?? null)
  if (user !== undefined && matches) {
    await attempt.takeBack()
    await removeWrongPassword(deps.db, counted.id)
    return user
  }
  await recordFailure(email, user, deps)
  if (counted.isLast) await warnOfGuessing(user, deps)
  throw attempt.secondsOfAddress > 0
    ? tooManyRequests(attempt.secondsOfAddress)
    : unauthorized(sessionMessages.wrongCredentials)
}

/**
 * Without a transaction: the guess was counted before. Failures of e-mails without an account are limited,
 * because only the time of hashing limits their number. One beyond the limit is counted and sets a mark, and
 * those of accounts are counted in a bucket of their own, so that all take the same time.
 */
async function recordFailure(email: string, user: UserRow | undefined, deps: LogInDeps): Promise<void> {
  const seconds = await deps.limits.failedLoginEntries.tryTake(
    user === undefined ? 'without account' : 'of accounts',
  )
  if (user === undefined && seconds > 0) {
    deps.metrics.failedLoginsLeftOut.inc()
    return setMark(deps.db, FAILURES_LEFT_OUT)
  }
  const companyId = user?.companyId ?? null
  await recordAudit({ action: 'login.failed', subject: email, companyId }, deps.db, deps)
}

/**
 * Counts a password before its check; `takeBack` removes a right one. Throws 429 after too many wrong ones of
 * this account from this address or known browser. `secondsOfAddress`: above 0 after too many on any account,
 * which alone does not stop a right one. A known browser and its address are counted apart.
 */
async function countAttempt({ account, address, browserId }: Guess, limits: RateLimits) {
  const isOfAddress = browserId === null
  const both = `${account} ${isOfAddress ? address : `browser ${browserId}`}`
  await limits.loginsOfAccountFromAddress.take(both)
  const secondsOfAddress = isOfAddress ? await limits.loginsFromAddress.tryTake(address) : 0
  return {
    secondsOfAddress,
    async takeBack() {
      if (isOfAddress && secondsOfAddress === 0) await limits.loginsFromAddress.giveBack(address)
      await limits.loginsOfAccountFromAddress.empty(both)
    },
  }
}

/** Ends the viewer's session at once: tokens stop working and sockets close. */
export async function logOut(viewer: Viewer, deps: Pick<Deps, 'db' | 'bus' | 'caller'>): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    endOneSession(viewer.sessionId, ownerOf(viewer), 'logged out', trx, deps),
  )
}

type NewPassword = { email: string; token: string; newPassword: string }

/**
 * Also ends all sessions of the link's user, whom it returns. Throws the same 400 for a link that is unknown,
 * used, expired, replaced, or sent to another address, 429 after too many from one address, and 400 with
 * `errors` for a guessable password. From the caller's `address` (`caller-address.ts`) the user may then log
 * in, however many wrong passwords were tried.
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
    await invalidatePasswordLinks(trx, [link.userId])
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

/** Clients may send it URL-encoded. Tokens contain no '%', so decoding a plain one changes nothing. */
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
 * In turn by address or known browser; the caller cannot see whether the user exists. Throws 429 after too
 * many requests from one address, unless it is a known browser of the user, and while too many wait.
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
