import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { guessLimits } from '@veridict/contract/limits'
import { Role } from '@veridict/contract/model/role'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import type { Clock } from '#platform/clock.ts'

/**
 * The only header of an access token, so that a client cannot choose an algorithm. `typ` as in RFC 9068: no
 * other token signed with this key counts as an access token.
 */
const ACCESS_HEADER = encode({ alg: 'HS256', typ: 'at+jwt' })
const KNOWN_SECONDS = guessLimits.known / 1000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type AccessSubject = { userId: number; role: Role; email: string; sessionId: string }
export type RefreshClaims = { sessionId: string; generation: number }
/** A browser, and the user who logged in there last; `passwordMark`: with which password. */
export type BrowserClaims = { userId: number; browserId: string; passwordMark: string }

/**
 * Access tokens are JWT (HS256); refresh tokens are `session.generation.signature` and those of browsers
 * `user.browser.password.expiry.signature`, each kind with a key of its own. All of it is synchronous, some
 * microseconds each: Web Crypto would wait for libuv's threads.
 */
export function createTokens(settings: { secret: string; accessTokenMinutes: number }, clock: Clock) {
  const accessKey = createHmac('sha256', settings.secret).update('access').digest()
  const refreshKey = createHmac('sha256', settings.secret).update('refresh').digest()
  const browserKey = createHmac('sha256', settings.secret).update('browser').digest()
  const webhookKey = createHmac('sha256', settings.secret).update('webhook').digest()
  const signWith = (key: Buffer) => (text: string) =>
    createHmac('sha256', key).update(text).digest('base64url')
  const [signAccess, sign] = [signWith(accessKey), signWith(refreshKey)]
  const signBrowser = signWith(browserKey)
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  return {
    issueAccess({ userId, role, email, sessionId }: AccessSubject): string {
      const issuedAt = seconds()
      const claims: AccessClaims = {
        nameid: String(userId),
        IsSuperAdmin: role === Role.SuperAdmin ? 'True' : 'False',
        email,
        sid: sessionId,
        iat: issuedAt,
        exp: issuedAt + settings.accessTokenMinutes * 60,
      }
      const content = `${ACCESS_HEADER}.${encode(claims)}`
      return `${content}.${signAccess(content)}`
    },

    /** The claims of a valid token that has not expired; null for any other. */
    readAccess(token: string): AccessClaims | null {
      const [header, payload = '', signature = '', ...more] = token.split('.')
      if (header !== ACCESS_HEADER || more.length > 0) return null
      if (!equalInConstantTime(signature, signAccess(`${header}.${payload}`))) return null
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AccessClaims
      return claims.exp > seconds() && UUID.test(claims.sid) ? claims : null
    },

    /** Same session and generation, same token, so that two tabs that refresh at once get the same one. */
    refreshToken: ({ sessionId, generation }: RefreshClaims): string =>
      `${sessionId}.${generation}.${sign(`${sessionId}.${generation}`)}`,

    /** null if the signature is not ours. The database knows whether the generation is the current one. */
    readRefresh(token: string): RefreshClaims | null {
      const [sessionId = '', generation = '', signature = '', ...more] = token.split('.')
      const isOurs = more.length === 0 && equalInConstantTime(signature, sign(`${sessionId}.${generation}`))
      return isOurs ? { sessionId, generation: Number(generation) } : null
    },

    /** For the cookie of a browser, which is known by it for a time (`guessLimits.known`). */
    browserToken({ userId, browserId, passwordMark }: BrowserClaims): string {
      const content = `${userId}.${browserId}.${passwordMark}.${seconds() + KNOWN_SECONDS}`
      return `${content}.${signBrowser(content)}`
    },

    /** null if the signature is not ours, or it has expired. */
    readBrowser(token: string): BrowserClaims | null {
      const [userId = '', browserId = '', passwordMark = '', expiresAt = '', signature = '', ...more] =
        token.split('.')
      const content = `${userId}.${browserId}.${passwordMark}.${expiresAt}`
      const isOurs = more.length === 0 && equalInConstantTime(signature, signBrowser(content))
      return isOurs && Number(expiresAt) > seconds()
        ? { userId: Number(userId), browserId, passwordMark }
        : null
    },

    /** A mark that differs for each password that is set, and reveals nothing of it. */
    passwordMark: (passwordHash: string | null): string => signBrowser(`password ${passwordHash ?? ''}`),

    /**
     * The secret with which the messages of a webhook are signed, for what the database stores of it. 256
     * bits, as https://www.standardwebhooks.com writes them.
     */
    webhookSecret: (salt: string): string =>
      `whsec_${createHmac('sha256', webhookKey).update(salt).digest('base64')}`,

    /**
     * What the database stores of the secret of a link or of a company's token. A secret has 256 random bits,
     * too many to guess, so one SHA-256 is enough; a slow hash would slow every call with a token.
     */
    hashSecret: (secret: string): string => createHash('sha256').update(secret).digest('hex'),
  }
}

export type Tokens = ReturnType<typeof createTokens>

/** Compares in a time that does not depend on the texts. */
export function equalInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
