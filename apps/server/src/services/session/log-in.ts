import type { UserTokens } from '@veridict/contract/api/session'
import type { LoginForm } from '@veridict/contract/forms/login'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { UserRow } from '#db/tables.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RateLimits } from '#drivers/rate-limits.ts'
import { tooManyRequests, unauthorized } from '#errors.ts'
import { endSession } from '#repositories/sessions.ts'
import { findUserByEmail } from '#repositories/users.ts'
import { openSession } from '#services/session/open-session.ts'

type LogInDeps = Pick<
  Deps,
  'db' | 'ids' | 'clock' | 'env' | 'tokens' | 'passwords' | 'passwordQueue' | 'limits'
>

/**
 * Checks e-mail address and password and starts a session. An unknown address and a wrong password give the
 * same 401 in the same time; 429 after too many failures (`drivers/rate-limits.ts`), and when too many logins
 * wait. `address` is the caller's IP address.
 */
export async function logIn(
  form: LoginForm,
  address: string,
  deps: LogInDeps,
): Promise<{ user: UserRow; tokens: UserTokens }> {
  const user = await deps.passwordQueue.run(address, () => checkCredentials(form, address, deps))
  return { user, tokens: await openSession(user, deps) }
}

/** The user whose e-mail and password these are. Throws 401 or 429. */
async function checkCredentials(
  { email, password }: LoginForm,
  address: string,
  { db, passwords, limits }: LogInDeps,
): Promise<UserRow> {
  const attempt = countAttempt(email, address, limits)
  const user = await findUserByEmail(db, email)
  const matches = await passwords.matches(password, user?.passwordHash ?? null)
  if (user === undefined || !matches) {
    throw attempt.secondsToWait > 0
      ? tooManyRequests(attempt.secondsToWait)
      : unauthorized(sessionMessages.wrongCredentials)
  }
  attempt.takeBack()
  return user
}

/**
 * Counts before the password is checked, so that parallel attempts are all counted; `takeBack` uncounts a
 * successful one. `secondsToWait` is above 0 after too many failures for this account from this address.
 * Throws 429 if even the right password is refused.
 */
function countAttempt(
  email: string,
  address: string,
  limits: RateLimits,
): { secondsToWait: number; takeBack(): void } {
  const account = email.normalize('NFKC').toLowerCase()
  const both = `${account} ${address}`
  limits.loginsFromAddress.take(address)
  limits.loginsOfAccount.take(account)
  return {
    secondsToWait: limits.loginsOfAccountFromAddress.tryTake(both),
    takeBack() {
      limits.loginsFromAddress.giveBack(address)
      limits.loginsOfAccount.giveBack(account)
      limits.loginsOfAccountFromAddress.empty(both)
    },
  }
}

/** Ends the viewer's session at once: tokens stop working and sockets close. */
export async function logOut(viewer: { sessionId: string }, deps: Pick<Deps, 'db' | 'bus'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await endSession(trx, viewer.sessionId)
    await deps.bus.publishEnd({ sessionId: viewer.sessionId }, trx)
  })
}
