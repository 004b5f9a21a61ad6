import { setTimeout as sleep } from 'node:timers/promises'
import { guessLimits } from '@veridict/contract/limits'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import type { Deps } from '#deps.ts'
import { forbidden, tooManyRequests } from '#errors.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { BrowserClaims, Tokens } from '#platform/identity/tokens.ts'
import {
  addWrongPassword,
  findWrongPasswords,
  isKnownAddress,
  lockAccount,
  type WrongPassword,
} from '#session/wrong-passwords.ts'
import { mayUsePassword } from '#users/password-login.ts'
import { type PasswordLinkDeps, sendPasswordLink } from '#users/send-password-link.ts'
import { claimGuessingMail, lockUser } from '#users/users.ts'

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS
/** All known browsers of an account share one limit: who once had the password may have made many known. */
const KNOWN_BROWSERS = 'known browsers'
/** Longer than sending takes, so that the response time does not show whether the account exists. */
const WARNING_MILLISECONDS = 250

/** `account`: of `user`, or an e-mail without one. `browserId`: if it is a known browser of the account. */
export type Guess = { account: string; user: UserRow | undefined; address: string; browserId: string | null }
/** A counted guess. `isLast`: it is the one that reaches the limit, if it is wrong. */
type CountedGuess = { id: number; isLast: boolean }

/**
 * Before the check, so that parallel guesses all count; the caller removes a right one. Throws 429 beyond the
 * limits, and with `secondsIfFailedBefore` for accounts with wrong ones. See docs/BEHAVIOUR.md#guessing.
 */
export function countGuess(
  { account, user, address, browserId }: Guess,
  secondsIfFailedBefore: number,
  { db }: Pick<Deps, 'db'>,
): Promise<CountedGuess> {
  const source = browserId === null ? address : KNOWN_BROWSERS
  return inTransaction(db, async (trx) => {
    await lockAccount(trx, account)
    const wrong = await findWrongPasswords(trx, account)
    if (wrong.length > 0 && secondsIfFailedBefore > 0) throw tooManyRequests(secondsIfFailedBefore)
    const secondsOfAll = secondsUntilFree(wrong, guessLimits.perDay, DAY_SECONDS)
    if (secondsOfAll > 0) {
      const known = { userId: user?.id ?? 0, address, milliseconds: guessLimits.known }
      const isKnown = await isKnownAddress(trx, known)
      const own = wrong.filter((attempt) => attempt.address === source)
      const seconds = isKnown
        ? secondsUntilFree(own, guessLimits.perHourFromKnownAddress, HOUR_SECONDS)
        : secondsOfAll
      if (seconds > 0) throw tooManyRequests(seconds)
    }
    const id = await addWrongPassword(trx, { account, address: source })
    return { id, isLast: wrong.length + 1 >= guessLimits.perDay }
  })
}

/** Until fewer than `limit` of `wrong` (newest first) are younger than `windowSeconds`; 0 if they are now. */
function secondsUntilFree(wrong: readonly WrongPassword[], limit: number, windowSeconds: number): number {
  const oldest = wrong[limit - 1]
  return oldest === undefined ? 0 : Math.max(0, Math.ceil(windowSeconds - oldest.secondsAgo))
}

/**
 * Sends a link to set a password, as only known addresses can log in now, at most once in 24 hours. An owner
 * without a password gets none: the invitation still works.
 */
export async function warnOfGuessing(
  user: UserRow | undefined,
  deps: PasswordLinkDeps & Pick<Deps, 'db'>,
): Promise<void> {
  await Promise.all([sendWarning(user, deps), sleep(WARNING_MILLISECONDS)])
}

async function sendWarning(
  user: UserRow | undefined,
  deps: PasswordLinkDeps & Pick<Deps, 'db'>,
): Promise<void> {
  if (user === undefined || user.passwordHash === null) return
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockUser(trx, user.id)
    if (locked === undefined || !(await claimGuessingMail(trx, user.id))) return
    await sendPasswordLink(locked, 'guessing', trx, deps)
  })
}

/** Needs the present password: with an earlier one an attacker may have made many browsers known. */
export const isOwnBrowser = (
  browser: BrowserClaims | null,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  { tokens }: { tokens: Pick<Tokens, 'isPasswordMark'> },
): browser is BrowserClaims =>
  browser !== null && browser.userId === id && tokens.isPasswordMark(browser.passwordMark, passwordHash)

/** Throws 403 where only single sign-on is used; the same for an e-mail that nobody has. */
export function refusePassword(email: string, { env }: Pick<Deps, 'env'>): void {
  if (!mayUsePassword(email, env)) throw forbidden(signOnMessages.noPasswords)
}
