import { exchangeSignOn } from '@veridict/contract/api/session'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { sessionMessages } from '@veridict/contract/messages/session'
import {
  signOnParameter,
  singleSignOnPath,
  type SignOnOutcome,
} from '@veridict/contract/notation/single-sign-on'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, forbidden } from '#errors.ts'
import { callerAddress, fullAddress } from '#platform/http/caller-address.ts'
import { clearCookie, readCookie, setCookie, type SafeCookie } from '#platform/http/cookies.ts'
import { loginPlaceOf, rememberBrowser } from '#session/login-place.ts'
import { readBody } from '#platform/http/json-body.ts'
import { mount } from '#platform/http/mount.ts'
import { isOwnOrigin } from '#platform/http/own-origin.ts'
import { presentLogin } from '#session/own-sessions.ts'
import {
  beginSignOn,
  exchangeTicket,
  finishSignOn,
  logOutByProvider,
  TICKET_SECONDS,
} from '#session/single-sign-on.ts'

const MINUTE_SECONDS = 60
/** Kept while the browser is at the provider, which leads back to us: a strict cookie would not be sent. */
const secretsCookie: SafeCookie = { name: 'veridict-sign-on', seconds: 10 * MINUTE_SECONDS, sameSite: 'Lax' }
const ticketCookie: SafeCookie = { name: 'veridict-ticket', seconds: TICKET_SECONDS, sameSite: 'Strict' }

/**
 * Single sign-on by an OpenID provider. Not calls of the API are two addresses for browsers, and one to which
 * the provider sends its logouts.
 */
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
