import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createIdentityProvider, type IdentityProvider } from '#platform/identity/identity-provider.ts'

/** A provider that issues whatever ID token a test asks for; `single-sign-on.test.ts` has a real one. */
let server: Server
let issuer: string
let provider: IdentityProvider
let idTokenOf: (nonce: string) => Promise<string>
/** The replies of the endpoint of users. */
let userInfo: object = {}
let authorizations: (string | undefined)[] = []

const keys = await generateKeyPair('RS256')
const otherKeys = await generateKeyPair('RS256')

beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let nonce = ''
  server = createServer((request, response) => {
    const reply = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/.well-known/openid-configuration') return reply(descriptionOf(issuer))
    if (pathname === '/keys') return reply({ keys: [jwk] })
    if (pathname === '/users') return reply(userInfo)
    if (pathname === '/authorize') {
      nonce = searchParams.get('nonce') ?? ''
      return reply({})
    }
    authorizations.push(request.headers.authorization)
    return void idTokenOf(nonce).then((idToken) =>
      reply({ access_token: 'access', token_type: 'bearer', id_token: idToken }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { issuer, clientId: 'veridict', clientSecret: 's3cret/+', callback: `${issuer}/back` }
  provider = createIdentityProvider(settings, systemClock)
})
afterAll(() => server.close())

const descriptionOf = (address: string) => ({
  issuer: address,
  authorization_endpoint: `${address}/authorize`,
  token_endpoint: `${address}/token`,
  userinfo_endpoint: `${address}/users`,
  jwks_uri: `${address}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

const claims = (nonce: string): JWTPayload => {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    aud: 'veridict',
    sub: 'ada',
    iat: now,
    exp: now + 60,
    nonce,
    email: 'ada@example.test',
    email_verified: true,
  }
}
const signed = (payload: JWTPayload, key = keys.privateKey, typ?: string) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one', typ }).sign(key)
const unsigned = async (payload: JWTPayload) => new UnsecuredJWT(payload).encode()
const signedWithSecret = (payload: JWTPayload) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('s3cret/+'.repeat(4)))
const forgeries = [
  { why: 'signed with another key', forge: (payload: JWTPayload) => signed(payload, otherKeys.privateKey) },
  { why: 'without a signature', forge: unsigned },
  { why: 'signed with the client secret', forge: signedWithSecret },
]

/** Passes the provider once, whose ID token is `idToken`. */
async function signOn(idToken: typeof idTokenOf) {
  idTokenOf = idToken
  const { address, secrets } = await provider.begin()
  await fetch(address)
  return provider.finish(`?code=any&state=${secrets.state}`, secrets)
}

describe('A provider', () => {
  it('identifies the person by a valid ID token', async () => {
    expect(await signOn((nonce) => signed(claims(nonce)))).toEqual({
      issuer,
      subject: 'ada',
      email: 'ada@example.test',
      isEmailVerified: true,
      providerSessionId: null,
    })
  })

  it('gets the secret by HTTP Basic if it names no other method', async () => {
    authorizations = []
    await signOn((nonce) => signed(claims(nonce)))
    const basic = Buffer.from('veridict:s3cret%2F%2B').toString('base64')
    expect(authorizations).toEqual([`Basic ${basic}`])
  })

  it('is asked for the e-mail when the ID token has none, and only for that person', async () => {
    const without = (nonce: string) => signed({ ...claims(nonce), email: undefined })
    userInfo = { sub: 'ada', email: 'ada@else.example.test', email_verified: true }
    expect(await signOn(without)).toMatchObject({ email: 'ada@else.example.test', isEmailVerified: true })
    userInfo = { sub: 'eve', email: 'ada@example.test', email_verified: true }
    await expect(signOn(without)).rejects.toThrow()
  })

  it.for(['true', 1, null])('has not verified an e-mail when it says %j', async (verified) => {
    const identity = await signOn((nonce) => signed({ ...claims(nonce), email_verified: verified }))
    expect(identity.isEmailVerified).toBe(false)
  })

  it.for<{ why: string; change: JWTPayload }>([
    { why: 'for another client', change: { aud: 'another' } },
    {
      why: 'for other clients, too, and issued to one of them',
      change: { aud: ['veridict', 'x'], azp: 'x' },
    },
    { why: 'of another issuer', change: { iss: 'https://evil.example.test' } },
    { why: 'with another nonce', change: { nonce: 'another' } },
    { why: 'without a nonce', change: { nonce: undefined } },
    { why: 'that has expired', change: { exp: Math.floor(Date.now() / 1000) - 60 } },
    { why: 'without an expiry', change: { exp: undefined } },
    { why: 'without a subject', change: { sub: undefined } },
    { why: 'that is not valid yet', change: { nbf: Math.floor(Date.now() / 1000) + 3600 } },
  ])('is not believed with an ID token $why', async ({ change }) => {
    await expect(signOn((nonce) => signed({ ...claims(nonce), ...change }))).rejects.toThrow()
  })

  it.for(forgeries)('is not believed with an ID token $why', async ({ forge }) => {
    await expect(signOn((nonce) => forge(claims(nonce)))).rejects.toThrow()
  })
})

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const logout = (change: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'veridict',
  sub: 'ada',
  sid: 'session one',
  iat: secondsFromNow(0),
  exp: secondsFromNow(120),
  jti: 'logout one',
  events: { [LOGOUT]: {} },
  ...change,
})

describe('A logout token', () => {
  it.for<{ why: string; change: JWTPayload; typ?: string; names?: object }>([
    { why: 'of a session and its person', change: {} },
    { why: 'of a session alone', change: { sub: undefined }, names: { subject: null } },
    { why: 'of all sessions of a person', change: { sid: undefined }, names: { providerSessionId: null } },
    { why: 'for several clients', change: { aud: ['another', 'veridict'] } },
    { why: 'without an expiry, as providers sent before it was required', change: { exp: undefined } },
    { why: 'that was sent again after a minute', change: { iat: secondsFromNow(-60) } },
    { why: 'of a clock that is half a minute ahead', change: { iat: secondsFromNow(30) } },
    { why: 'with its own type', change: {}, typ: 'logout+jwt' },
    { why: 'with the type of all tokens', change: {}, typ: 'JWT' },
  ])('$why is accepted', async ({ change, typ, names }) => {
    const token = await signed(logout(change), keys.privateKey, typ)
    expect(await provider.readLogout(token)).toEqual({
      id: 'logout one',
      issuer,
      subject: 'ada',
      providerSessionId: 'session one',
      ...names,
    })
  })

  it.for<{ why: string; change: JWTPayload; typ?: string }>([
    { why: 'for another client', change: { aud: 'another' } },
    { why: 'for nobody', change: { aud: undefined } },
    { why: 'of another issuer', change: { iss: 'https://evil.example.test' } },
    { why: 'that has expired', change: { exp: secondsFromNow(-90) } },
    { why: 'that is old', change: { iat: secondsFromNow(-3600), exp: secondsFromNow(3600) } },
    { why: 'from the future', change: { iat: secondsFromNow(3600), exp: secondsFromNow(7200) } },
    { why: 'without a time', change: { iat: undefined } },
    { why: 'without an id', change: { jti: undefined } },
    { why: 'with a nonce, as ID tokens have', change: { nonce: 'any' } },
    { why: 'without session and person', change: { sub: undefined, sid: undefined } },
    { why: 'without events', change: { events: undefined } },
    { why: 'with another event', change: { events: { 'http://schemas.openid.net/event/other': {} } } },
    { why: 'with an event that is no object', change: { events: { [LOGOUT]: true } } },
    { why: 'with the type of access tokens', change: {}, typ: 'at+jwt' },
  ])('$why is refused', async ({ change, typ }) => {
    const token = await signed(logout(change), keys.privateKey, typ)
    await expect(provider.readLogout(token)).rejects.toThrow()
  })

  it.for(forgeries)('$why is refused', async ({ forge }) => {
    await expect(provider.readLogout(await forge(logout()))).rejects.toThrow()
  })

  it.for(['', 'x', 'a.b.c'])('that is none (%j) is refused', async (text) => {
    await expect(provider.readLogout(text)).rejects.toThrow()
  })
})
