import { sessionMessages } from '@veridict/contract/messages/session'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { badRequest, invalid } from '#errors.ts'
import { passwordProblem } from '#users/password-problem.ts'
import { findUserOfLink, invalidatePasswordLinks, markLinkUsed } from '#users/password-links.ts'
import { lockUser, setPasswordHash } from '#users/users.ts'
import { forgetAddresses, rememberAddress } from '#session/wrong-passwords.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { refusePassword } from '#session/refuse-password.ts'
import { endUserSessions } from '#users/end-user-sessions.ts'

export type NewPassword = { email: string; token: string; newPassword: string }

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
