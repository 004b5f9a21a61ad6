import type { UserTokens } from '@veridict/contract/api/session'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import type { SignOnOutcome } from '@veridict/contract/notation/single-sign-on'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import {
  ProviderUnavailable,
  type Identity,
  type IdentityProvider,
  type SignOnSecrets,
} from '#platform/identity/identity-provider.ts'
import { badRequest, unauthorized } from '#errors.ts'
import { isSameAddress } from '#users/password-login.ts'
import {
  addIdentity,
  addLogout,
  addTicket,
  deleteIdentities,
  deleteTicketsOf,
  findSessionsOf,
  findSubject,
  findUserIdOfIdentity,
  findUserIdOfTicket,
} from '#users/identities.ts'
import { findUser, findUserByEmail, lockUser } from '#users/users.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { endOneSession } from '#users/end-user-sessions.ts'
import { openSession, type LoginPlace, type OpenSessionDeps } from '#session/open-session.ts'

/** The login page has this long to exchange its ticket. */
export const TICKET_SECONDS = 60

type Needs = Pick<Deps, 'db' | 'ids' | 'tokens' | 'log' | 'caller'>
/** The outcome for the login page, and for a right person the ticket that it exchanges. */
type Finished = { outcome: 'done'; ticket: string } | { outcome: Exclude<SignOnOutcome, 'done'> }

/** Returns where to send the browser and the secrets that it keeps meanwhile, or the outcome of a failure. */
export async function beginSignOn(
  provider: IdentityProvider,
  deps: Needs,
): Promise<Awaited<ReturnType<IdentityProvider['begin']>> | Exclude<SignOnOutcome, 'done'>> {
  try {
    return await provider.begin()
  } catch (error) {
    return failure(error, deps)
  }
}

/**
 * Checks the query with which the provider sent the browser back. `secrets` are those that the browser kept,
 * or null if it has none. Each account is bound to issuer and subject at its first sign-on. See
 * docs/BEHAVIOUR.md#single-sign-on.
 */
export async function finishSignOn(
  provider: IdentityProvider,
  query: string,
  secrets: SignOnSecrets | null,
  deps: Needs,
): Promise<Finished> {
  if (secrets === null) return { outcome: 'failed' }
  try {
    const identity = await provider.finish(query, secrets)
    const ticket = deps.ids.secret()
    const tokenHash = deps.tokens.hashSecret(ticket)
    const refusal = await inTransaction(deps.db, async (trx) => {
      const user = await findOrBind(identity, trx)
      if (typeof user === 'string') return user
      // While the user is locked: what ends sessions meanwhile ends the ticket, too.
      const { issuer, subject, providerSessionId } = identity
      const origin = { issuer, subject, providerSessionId }
      await addTicket(trx, { tokenHash, userId: user.id, seconds: TICKET_SECONDS, ...origin })
      return null
    })
    return refusal === null ? { outcome: 'done', ticket } : await refuse(identity, refusal, deps)
  } catch (error) {
    return { outcome: failure(error, deps) }
  }
}

/** Starts the session of a ticket, which works once and for a minute. Throws 401. */
export async function exchangeTicket(
  ticket: string | null,
  place: LoginPlace,
  deps: OpenSessionDeps,
): Promise<{ user: UserRow; tokens: UserTokens }> {
  const hash = deps.tokens.hashSecret(ticket ?? '')
  const userId = await findUserIdOfTicket(deps.db, hash)
  const user = userId === undefined ? undefined : await findUser(deps.db, userId)
  if (user === undefined) throw unauthorized(signOnMessages.failed)
  return { user, tokens: await openSession(user, place, deps, hash) }
}

/**
 * Ends what a logout token of the provider ends: sessions and sign-ons that are not finished. One that was
 * sent before does nothing. Throws 400 for a token that is not valid, or that cannot be checked now.
 */
export async function logOutByProvider(
  provider: IdentityProvider,
  logoutToken: string,
  deps: Needs & Pick<Deps, 'bus'>,
): Promise<void> {
  const logout = await provider.readLogout(logoutToken).catch((error: Error & { code?: unknown }) => {
    deps.log.warn({ reason: error.message, code: error.code }, 'a logout of the provider was refused')
    throw badRequest(signOnMessages.logoutRefused)
  })
  await inTransaction(deps.db, async (trx) => {
    if (!(await addLogout(trx, deps.tokens.hashSecret(logout.id)))) return
    // First, because a login that is using a ticket is waited for, and its session is then found.
    await deleteTicketsOf(trx, logout)
    for (const { sessionId, ...owner } of await findSessionsOf(trx, logout))
      await endOneSession(sessionId, owner, 'ended by the identity provider', trx, deps)
  })
}

/** The user of an identity, or why there is none. */
async function findOrBind(identity: Identity, trx: Trx): Promise<UserRow | string> {
  const { issuer, subject, email, isEmailVerified } = identity
  if (email === null || !isEmailVerified) return 'the e-mail is not verified'
  const found = await findUserByEmail(trx, email)
  const user = found && (await lockUser(trx, found.id))
  if (user === undefined || !isSameAddress(user.email, email)) return 'no account has the e-mail'
  const known = await findSubject(trx, user.id, issuer)
  if (known !== undefined) return known === subject ? user : 'the account belongs to another subject'
  await releaseFromDeletedUser(identity, trx)
  const isBound = await addIdentity(trx, { userId: user.id, issuer, subject })
  return isBound ? user : 'the subject belongs to another account'
}

/** Somebody who was deleted, alone or with the company, may come back with a new account. */
async function releaseFromDeletedUser(identity: Identity, trx: Trx): Promise<void> {
  const owner = await findUserIdOfIdentity(trx, identity)
  if (owner !== undefined && (await findUser(trx, owner)) === undefined) await deleteIdentities(trx, owner)
}

async function refuse({ email }: Identity, reason: string, deps: Needs): Promise<Finished> {
  const detail = onlyAfter({ method: 'single sign-on', reason })
  await recordAudit({ action: 'login.failed', subject: email ?? '', detail }, deps.db, deps)
  return { outcome: 'refused' }
}

function failure(error: unknown, { log }: Needs): 'failed' | 'unavailable' {
  if (error instanceof ProviderUnavailable || isDatabaseDown(error)) {
    log.warn({ err: error }, 'single sign-on is not available')
    return 'unavailable'
  }
  // Not the whole error: what the provider sent may hold tokens.
  const { message, code } = error as Error & { code?: unknown }
  log.warn({ reason: message, code }, 'a single sign-on failed')
  return 'failed'
}
