import type { UserTokens } from '@veridict/contract/api/session'
import type { LoginForm } from '@veridict/contract/forms/login'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import type { RateLimits } from '#drivers/rate-limits.ts'
import { tooManyRequests, unauthorized } from '#errors.ts'
import { findUserByEmail } from '#repositories/users.ts'
import { openSession } from '#services/session/open-session.ts'

type LogInDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'env' | 'tokens' | 'passwords' | 'limits'>

/**
 * Checks e-mail and password and begins a session. 401 with one answer in one time for an unknown e-mail and
 * a wrong password; 429 after too many failures (`drivers/rate-limits`). `address` is where the request comes
 * from.
 */
export async function logIn(
  form: LoginForm,
  address: string,
  deps: LogInDeps,
): Promise<{ user: UserRow; tokens: UserTokens }> {
  const attempt = countAttempt(form.email, address, deps.limits)
  const user = await findUserByEmail(deps.db, form.email)
  const matches = await deps.passwords.matches(form.password, user?.passwordHash ?? null)
  if (user === undefined || !matches) {
    throw attempt.secondsToWait > 0
      ? tooManyRequests(attempt.secondsToWait)
      : unauthorized(sessionMessages.wrongCredentials)
  }
  attempt.takeBack()
  return { user, tokens: await openSession(user, deps) }
}

/**
 * Counts before the check, so that attempts side by side cannot pass uncounted; `takeBack` is for good ones.
 * `secondsToWait` is more than 0 for somebody who failed too often here. Throws 429 where not even the right
 * password is looked at any more.
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
