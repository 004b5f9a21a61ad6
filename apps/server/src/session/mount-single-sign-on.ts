import { exchangeSignOn, type UserTokens } from '@veridict/contract/api/session'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { sessionMessages } from '@veridict/contract/messages/session'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import {
  signOnParameter,
  singleSignOnPath,
  type SignOnOutcome,
} from '@veridict/contract/notation/single-sign-on'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, forbidden, badRequest, unauthorized } from '#errors.ts'
import { callerAddress, fullAddress } from '#platform/http/caller-address.ts'
import { clearCookie, readCookie, setCookie, type SafeCookie } from '#platform/http/cookies.ts'
import { loginPlaceOf, rememberBrowser } from '#session/login-place.ts'
import { readBody } from '#platform/http/json-body.ts'
import { mount } from '#platform/http/mount.ts'
import { isOwnOrigin } from '#platform/http/own-origin.ts'
import { presentLogin, openSession, type LoginPlace, type OpenSessionDeps } from '#session/open-session.ts'
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
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import { endOneSession } from '#users/end-user-sessions.ts'

const MINUTE_SECONDS = 60
/** The login page has this long to exchange its ticket. */
const TICKET_SECONDS = 60
/** Kept while the browser is at the provider, which leads back to us: a strict cookie would not be sent. */
const secretsCookie: SafeCookie = { name: 'veridict-sign-on', seconds: 10 * MINUTE_SECONDS, sameSite: 'Lax' }
const ticketCookie: SafeCookie = { name: 'veridict-ticket', seconds: TICKET_SECONDS, sameSite: 'Strict' }

/** Two addresses for browsers, and one for the provider's logouts, are no calls of the API. */
export function mountSingleSignOn(app: FastifyInstance): void {
  const { identityProvider: provider, env, limits } = app.deps

  mount(app, exchangeSignOn, async ({ request, reply, deps }) => {
    if (provider === null) throw new AppError(404, noticeMessages.noSuchCall)
    if (!isOwnOrigin(request.headers.origin, request.headers.host, env.publicUrl))
      throw forbidden(sessionMessages.notAllowed)
    await countSignOn(request)
    const ticket = readCookie(request, ticketCookie)
    clearCookie(reply, ticketCookie)
    const { user, tokens } = await exchangeTicket(ticket, loginPlaceOf(request), deps)
    rememberBrowser(request, reply, user)
    return presentLogin(user, tokens)
  })

  if (provider === null) return

  app.get(singleSignOnPath, async (request, reply) => {
    await countSignOn(request)
    const begun = await beginSignOn(provider, depsOf(request))
    if (typeof begun === 'string') return toLogin(reply, begun)
    const { state, nonce, verifier } = begun.secrets
    setCookie(reply, secretsCookie, [state, nonce, verifier].join('.'))
    return reply.redirect(begun.address)
  })

  app.get(`${singleSignOnPath}/callback`, async (request, reply) => {
    await countSignOn(request)
    const [state, nonce, verifier] = readCookie(request, secretsCookie)?.split('.') ?? []
    const secrets = state && nonce && verifier ? { state, nonce, verifier } : null
    const query = request.url.replace(/^[^?]*/, '')
    const finished = await finishSignOn(provider, query, secrets, depsOf(request))
    clearCookie(reply, secretsCookie)
    if (finished.outcome === 'done') setCookie(reply, ticketCookie, finished.ticket)
    return toLogin(reply, finished.outcome)
  })

  // OpenID Connect Back-Channel Logout 1.0, 2.5: a form, which no other address takes.
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', readBody)
    scope.post(`${singleSignOnPath}/backchannel`, async (request, reply) => {
      await countSignOn(request)
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      await logOutByProvider(provider, form.get('logout_token') ?? '', depsOf(request))
      // Many people may log out at once, and all their logouts come from one address.
      await limits.signOnsFromAddress.giveBack(callerAddress(request))
      return reply.send()
    })
  })
}

/** The dependencies that `mount` gives a public call; these routes are redirects, not endpoints. */
const depsOf = (request: FastifyRequest) => ({
  ...request.server.deps,
  caller: { actor: null, companyId: null, address: fullAddress(request) },
})

function countSignOn(request: FastifyRequest): Promise<void> {
  const { visitors, signOnsFromAddress } = request.server.deps.limits
  const address = callerAddress(request)
  return visitors.run(address, () => signOnsFromAddress.take(address))
}

const toLogin = (reply: FastifyReply, outcome: SignOnOutcome): FastifyReply =>
  reply.redirect(`/login?${signOnParameter}=${outcome}`)

type Needs = Pick<Deps, 'db' | 'ids' | 'tokens' | 'log' | 'caller'>
/** The outcome for the login page, and for a right person the ticket that it exchanges. */
type Finished = { outcome: 'done'; ticket: string } | { outcome: Exclude<SignOnOutcome, 'done'> }

/** Returns where to send the browser and the secrets that it keeps meanwhile, or the outcome of a failure. */
async function beginSignOn(provider: IdentityProvider, deps: Needs) {
  try {
    return await provider.begin()
  } catch (error) {
    return failure(error, deps)
  }
}

/**
 * `secrets`: those that the browser kept, or null. An account is bound to issuer and subject at its first
 * sign-on. See docs/BEHAVIOUR.md#single-sign-on.
 */
async function finishSignOn(
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
async function exchangeTicket(
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

/** Ends sessions and open sign-ons; a repeated token does nothing. 400 if invalid or uncheckable. */
async function logOutByProvider(
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
