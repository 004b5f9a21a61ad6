import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { ProviderSettings } from '#platform/identity/identity-provider.ts'

/** A person at the provider. */
export type Account = { sub: string; email?: string; email_verified?: boolean }

export type OpenIdProvider = {
  settings: ProviderSettings
  /** Who is logged in at the provider from now on; null: nobody, and the sign-on is canceled. */
  setAccount(account: Account | null): void
  /** The logout token that the provider sends when a person logs out there, of one session or of all. */
  logoutToken(sub: string, sessionId?: string): Promise<string>
  close(): Promise<void>
}

/** What the types of oidc-provider leave out. */
type RelyingParty = {
  backchannelLogoutSessionRequired: boolean
  backchannelLogout(sub: string, sessionId: string | undefined): Promise<void>
}

/**
 * A real OpenID provider on this machine that asks for no password: the person that the test sets is logged
 * in. `callback` is the portal's.
 */
export async function startOpenIdProvider(callback: string, port = 0): Promise<OpenIdProvider> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { clientId: 'veridict', clientSecret: randomUUID() }
  const accounts = new Map<string, Account>()
  let present: Account | null = null
  let sent = ''

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callback],
        backchannel_logout_uri: new URL('backchannel', callback).href,
        backchannel_logout_session_required: true,
      },
    ],
    async fetch(_url, options) {
      sent = String(new URLSearchParams(options?.body as URLSearchParams).get('logout_token'))
      return new Response()
    },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...accounts.get(sub), sub }) }),
    // Consent is given without a question, as within a company.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    cookies: { keys: [randomUUID()] },
    // A session lasts a second, so that each sign-on uses the account that is set then.
    ttl: { Session: 1, Interaction: 60, Grant: 60, AuthorizationCode: 60, AccessToken: 60, IdToken: 60 },
  })
  const serve = provider.callback()
  const interact = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(
      request,
      response,
      present === null ? { error: 'access_denied' } : { login: { accountId: present.sub, remember: false } },
    )
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(request, response)
    else void serve(request, response)
  })

  return {
    settings: { issuer, ...client, callback },
    setAccount(account) {
      present = account
      if (account !== null) accounts.set(account.sub, account)
    },
    async logoutToken(sub, sessionId) {
      const relyingParty = (await provider.Client.find(client.clientId)) as unknown as RelyingParty
      relyingParty.backchannelLogoutSessionRequired = sessionId !== undefined
      await relyingParty.backchannelLogout(sub, sessionId)
      relyingParty.backchannelLogoutSessionRequired = true
      return sent
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
