import { createRemoteJWKSet, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import { z } from 'zod'
import type { SessionOrigin } from '#platform/database/tables.ts'
import type { Clock } from '#platform/clock.ts'
import type { Env } from '#env.ts'

export type ProviderSettings = NonNullable<Env['singleSignOn']>

/** What only the browser that began a sign-on has. */
export type SignOnSecrets = { state: string; nonce: string; verifier: string }
/** Not all providers name their sessions. `subject` never changes, an e-mail may. */
export type Identity = {
  issuer: string
  subject: string
  providerSessionId: string | null
  email: string | null
  isEmailVerified: boolean
}
/** Which sessions the provider ends: one, or all of a person. No two logouts have the same `id`. */
export type ProviderLogout = SessionOrigin & { id: string }

/** The provider cannot be asked at the moment. */
export class ProviderUnavailable extends Error {}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>

/** Logout tokens are accepted for this long after they were issued; providers repeat a call that failed. */
const LOGOUT_SECONDS = 5 * 60
const CLOCK_TOLERANCE_SECONDS = 60

const logoutClaims = z
  .object({
    iss: z.string(),
    jti: z.string().min(1),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    // An ID token has one.
    nonce: z.never().optional(),
    events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.object({}) }),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'neither sub nor sid')
/** Many providers send no type, or that of all tokens. */
const logoutTypes = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt']

const TIMEOUT_SECONDS = 10
/** The provider's description of itself is read again after this time. */
const DESCRIPTION_MILLISECONDS = 60 * 60 * 1000

/** Authorization code flow with PKCE, state, nonce. Asks the provider at first use: it may start later. */
export function createIdentityProvider(settings: ProviderSettings, clock: Clock) {
  let description: { read: Promise<Description>; at: number } | null = null

  const describe = (): Promise<Description> => {
    const now = clock.now().getTime()
    if (description !== null && Math.abs(now - description.at) < DESCRIPTION_MILLISECONDS)
      return description.read
    const read = discover(settings).catch((error: unknown) => {
      description = null
      throw new ProviderUnavailable('the provider cannot be reached', { cause: error })
    })
    description = { read, at: now }
    return read
  }

  return {
    /** Where to send a browser, and what it keeps meanwhile. Throws ProviderUnavailable. */
    async begin(): Promise<{ address: string; secrets: SignOnSecrets }> {
      const { configuration } = await describe()
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const address = buildAuthorizationUrl(configuration, {
        redirect_uri: settings.callback,
        scope: 'openid email',
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        state: secrets.state,
        nonce: secrets.nonce,
      })
      return { address: address.href, secrets }
    },

    /** Checks the query with which a browser came back, and all tokens. Throws if anything is wrong. */
    async finish(query: string, { state, nonce, verifier }: SignOnSecrets): Promise<Identity> {
      const { configuration } = await describe()
      const tokens = await authorizationCodeGrant(configuration, new URL(`${settings.callback}${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the provider sent no ID token')
      const { email, email_verified: verified } =
        claims['email'] === undefined
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        providerSessionId: typeof claims['sid'] === 'string' ? claims['sid'] : null,
        email: typeof email === 'string' ? email : null,
        isEmailVerified: verified === true,
      }
    },

    /** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Throws if anything is wrong. */
    async readLogout(logoutToken: string): Promise<ProviderLogout> {
      const { configuration, keys } = await describe()
      const { issuer, id_token_signing_alg_values_supported: algorithms } = configuration.serverMetadata()
      const { payload, protectedHeader } = await jwtVerify(logoutToken, keys, {
        issuer,
        audience: settings.clientId,
        algorithms: algorithms ?? ['RS256'],
        maxTokenAge: LOGOUT_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      })
      if (!logoutTypes.includes(protectedHeader.typ?.toLowerCase())) throw new Error('not a logout token')
      const { jti, iss, sub = null, sid = null } = logoutClaims.parse(payload)
      return { id: jti, issuer: iss, subject: sub, providerSessionId: sid }
    },
  }
}

/** `keys`: those of the provider, which `jose` reads again when it signs with one that it did not have. */
type Description = { configuration: Configuration; keys: ReturnType<typeof createRemoteJWKSet> }

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Description> {
  let method: ClientAuth = ClientSecretBasic(clientSecret)
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    undefined,
    (server, ...rest) => method(server, ...rest),
    {
      timeout: TIMEOUT_SECONDS,
      // By default the signature of an ID token that comes straight from the provider is not checked.
      // Settings refuse http for all but this machine.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    },
  )
  const { token_endpoint_auth_methods_supported: methods, jwks_uri: keys } = configuration.serverMetadata()
  if (methods !== undefined && !methods.includes('client_secret_basic'))
    method = ClientSecretPost(clientSecret)
  return { configuration, keys: createRemoteJWKSet(new URL(keys ?? '')) }
}
