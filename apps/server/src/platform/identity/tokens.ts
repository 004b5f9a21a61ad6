import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { guessLimits } from '@veridict/contract/limits'
import { Role } from '@veridict/contract/model/role'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import { systemClock, type Clock } from '#platform/clock.ts'

/** The only one, so that a client cannot choose an algorithm. `typ` (RFC 9068): no other token counts. */
const ACCESS_HEADER = encode({ alg: 'HS256', typ: 'at+jwt' })
const KNOWN_SECONDS = guessLimits.known / 1000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type AccessSubject = { userId: number; role: Role; email: string; sessionId: string }
export type RefreshClaims = { sessionId: string; generation: number }
/** A browser, and the user who logged in there last; `passwordMark`: with which password. */
export type BrowserClaims = { userId: number; browserId: string; passwordMark: string }

/**
 * The secret follows from the salt and the key of the time when it was set. `sealedSecret`: it, encrypted
 * with a later key, or null; begins with its salt, because a version before this column may set a new salt.
 */
export type WebhookSecret = { secretSalt: string; sealedSecret: string | null }

type TokenSettings = { tokenSecret: string; tokenSecretPrevious?: string | null; accessTokenMinutes: number }

/**
 * Access tokens are JWT (HS256), refresh tokens `session.generation.signature`, those of browsers
 * `user.browser.password.expiry.signature`, each with its own key. The previous secret's are valid, too.
 * Synchronous, some microseconds each: Web Crypto would wait for libuv's threads.
 */
export function createTokens(
  { tokenSecret, tokenSecretPrevious, accessTokenMinutes }: TokenSettings,
  clock: Clock = systemClock,
) {
  const present = keysOf(tokenSecret)
  const accepted = tokenSecretPrevious ? [present, keysOf(tokenSecretPrevious)] : [present]
  const sign = (kind: SigningKey, text: string, keys = present) =>
    createHmac('sha256', keys[kind]).update(text).digest('base64url')
  const isSigned = (kind: SigningKey, text: string, signature: string) =>
    accepted.some((keys) => equalInConstantTime(signature, sign(kind, text, keys)))
  const derived = ({ secretSalt }: WebhookSecret) =>
    `whsec_${createHmac('sha256', present.webhook).update(secretSalt).digest('base64')}`
  const isStale = ({ secretSalt, sealedSecret }: WebhookSecret) => sealedSecret?.split('.')[0] !== secretSalt
  const unsealed = (webhook: WebhookSecret, keys: readonly Keys[]) =>
    isStale(webhook) ? null : keys.map(({ seal }) => unseal(webhook, seal)).find((secret) => secret !== null)
  const markOf = (passwordHash: string | null) => `password ${passwordHash ?? ''}`
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
        exp: issuedAt + accessTokenMinutes * 60,
      }
      const content = `${ACCESS_HEADER}.${encode(claims)}`
      return `${content}.${sign('access', content)}`
    },

    /** The claims of a valid token that has not expired; null for any other. */
    readAccess(token: string): AccessClaims | null {
      const [header, payload = '', signature = '', ...more] = token.split('.')
      if (header !== ACCESS_HEADER || more.length > 0) return null
      if (!isSigned('access', `${header}.${payload}`, signature)) return null
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AccessClaims
      return claims.exp > seconds() && UUID.test(claims.sid) ? claims : null
    },

    /** Same session and generation, same token, so that two tabs that refresh at once get the same one. */
    refreshToken: ({ sessionId, generation }: RefreshClaims): string =>
      `${sessionId}.${generation}.${sign('refresh', `${sessionId}.${generation}`)}`,

    /** null if the signature is not ours. The database knows whether the generation is the current one. */
    readRefresh(token: string): RefreshClaims | null {
      const [sessionId = '', generation = '', signature = '', ...more] = token.split('.')
      const isOurs = more.length === 0 && isSigned('refresh', `${sessionId}.${generation}`, signature)
      return isOurs ? { sessionId, generation: Number(generation) } : null
    },

    /** For the cookie of a browser, which is known by it for a time (`guessLimits.known`). */
    browserToken({ userId, browserId, passwordMark }: BrowserClaims): string {
      const content = `${userId}.${browserId}.${passwordMark}.${seconds() + KNOWN_SECONDS}`
      return `${content}.${sign('browser', content)}`
    },

    /** null if the signature is not ours, or it has expired. */
    readBrowser(token: string): BrowserClaims | null {
      const [userId = '', browserId = '', passwordMark = '', expiresAt = '', signature = '', ...more] =
        token.split('.')
      const content = `${userId}.${browserId}.${passwordMark}.${expiresAt}`
      const isOurs = more.length === 0 && isSigned('browser', content, signature)
      return isOurs && Number(expiresAt) > seconds()
        ? { userId: Number(userId), browserId, passwordMark }
        : null
    },

    /** A mark that differs for each password that is set, and reveals nothing of it. */
    passwordMark: (passwordHash: string | null): string => sign('browser', markOf(passwordHash)),

    isPasswordMark: (mark: string, passwordHash: string | null): boolean =>
      isSigned('browser', markOf(passwordHash), mark),

    /** 256 bits, as https://www.standardwebhooks.com writes them, to sign messages with. */
    webhookSecret: (webhook: WebhookSecret): string => unsealed(webhook, accepted) ?? derived(webhook),

    /** The secret, encrypted with the present key; null if it is so already, or with an unknown key. */
    sealedAgain(webhook: WebhookSecret): string | null {
      if (unsealed(webhook, [present])) return null
      const secret = isStale(webhook) ? derived(webhook) : unsealed(webhook, accepted)
      return secret ? seal(secret, webhook.secretSalt, present.seal) : null
    },

    /** Numbers that stand for the secrets of these tokens, the one that signs first. They reveal nothing. */
    secretNumbers: accepted.map(({ number }) => number),

    /** For links and tokens, one SHA-256 is enough: they have 256 random bits, too many to guess. */
    hashSecret: (secret: string): string => createHash('sha256').update(secret).digest('hex'),
  }
}

export type Tokens = ReturnType<typeof createTokens>

type SigningKey = 'access' | 'refresh' | 'browser'
type Keys = Readonly<Record<SigningKey | 'webhook' | 'seal', Buffer>> & { number: number }

function keysOf(secret: string): Keys {
  const key = (name: string) => createHmac('sha256', secret).update(name).digest()
  const [access, refresh, browser] = [key('access'), key('refresh'), key('browser')]
  // A number that PostgreSQL takes for an advisory lock.
  const number = key('number').readUInt32BE() >>> 1
  return { access, refresh, browser, webhook: key('webhook'), seal: key('seal'), number }
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

function seal(secret: string, salt: string, key: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(salt))
  const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final()])
  return `${salt}.${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')}`
}

/** null if it was encrypted with another key. */
function unseal({ secretSalt, sealedSecret }: WebhookSecret, key: Buffer): string | null {
  const bytes = Buffer.from(sealedSecret?.split('.')[1] ?? '', 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAAD(Buffer.from(secretSalt)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString() + decipher.final().toString()
  } catch {
    return null
  }
}

/** Compares in a time that does not depend on the texts. */
export function equalInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
