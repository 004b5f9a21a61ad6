import type { UserTokens } from '@veridict/contract/api/session'
import type { LoginForm } from '@veridict/contract/forms/login'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RateLimits } from '#platform/admission/rate-limits.ts'
import { tooManyRequests, unauthorized } from '#errors.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { FAILURES_LEFT_OUT, setMark } from '#platform/database/marks.ts'
import { findUserByEmail } from '#users/users.ts'
import { removeWrongPassword } from '#session/wrong-passwords.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { countGuess, type Guess, isOwnBrowser, refusePassword, warnOfGuessing } from '#session/count-guess.ts'
import { endOneSession, ownerOf } from '#users/end-user-sessions.ts'
import { openSession, type LoginPlace, type OpenSessionDeps } from '#session/open-session.ts'
import type { PasswordLinkDeps } from '#users/send-password-link.ts'

type LogInDeps = Pick<Deps, 'passwords' | 'passwordQueue' | 'metrics'> & OpenSessionDeps & PasswordLinkDeps

/**
 * Checks e-mail address and password and starts a session. `place.address` is the caller's
 * (`platform/http/caller-address.ts`). Throws
 * - 401 for an unknown address and for a wrong password, in the same time;
 * - 429 without a check of the password, after too many wrong ones or while too many logins wait;
 * - 429 after too many logins of this user;
 * - 403 where only single sign-on is used.
 * See docs/BEHAVIOUR.md#guessing.
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
 * Records a failed login. Without a transaction: the guess was counted before the password was checked.
 * Failures of e-mails without an account are limited, because only the time that hashing takes limits their
 * number. One beyond the limit is counted for operators, and sets a mark, so that it takes as long. Those of
 * accounts are counted apart for the same time.
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
 * Counts the attempt before the password is checked; `takeBack` removes a right one from the count. Throws
 * 429 after too many wrong passwords of this account from this address or known browser. `secondsOfAddress`
 * is above 0 after too many wrong passwords of this address on any account; that alone does not stop a right
 * one. A known browser and its address are counted apart.
 */
async function countAttempt(
  { account, address, browserId }: Guess,
  limits: RateLimits,
): Promise<{ secondsOfAddress: number; takeBack(): Promise<void> }> {
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
