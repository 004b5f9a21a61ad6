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
import type { Clock } from '#drivers/clock.ts'

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider sends the browser back to. */
  callback: string
}

/** What only the browser that began a sign-on has. */
export type SignOnSecrets = { state: string; nonce: string; verifier: string }
/** A person at the provider. `subject` never changes there, an e-mail may. */
export type Identity = { issuer: string; subject: string; email: string | null; isEmailVerified: boolean }

/** The provider cannot be asked at the moment. */
export class ProviderUnavailable extends Error {}

/** An OpenID provider: authorization code flow with PKCE, state and nonce. */
export type IdentityProvider = {
  /** Where to send a browser, and what it keeps meanwhile. Throws ProviderUnavailable. */
  begin(): Promise<{ address: string; secrets: SignOnSecrets }>
  /** Checks the query with which a browser came back, and all tokens. Throws if anything is wrong. */
  finish(query: string, secrets: SignOnSecrets): Promise<Identity>
}

const TIMEOUT_SECONDS = 10
/** The provider's description of itself is read again after this time. */
const DESCRIPTION_MILLISECONDS = 60 * 60 * 1000

/** Asks the provider for its description at the first use, and again after a failure: it may start later. */
export function createIdentityProvider(settings: ProviderSettings, clock: Clock): IdentityProvider {
  let description: { read: Promise<Configuration>; at: number } | null = null

  const describe = (): Promise<Configuration> => {
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
    async begin() {
      const configuration = await describe()
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

    async finish(query, { state, nonce, verifier }) {
      const configuration = await describe()
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
        email: typeof email === 'string' ? email : null,
        isEmailVerified: verified === true,
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
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
  const { token_endpoint_auth_methods_supported: methods } = configuration.serverMetadata()
  if (methods !== undefined && !methods.includes('client_secret_basic'))
    method = ClientSecretPost(clientSecret)
  return configuration
}
