import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Role } from '@veridict/contract/model/role'
import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#drivers/clock.ts'

const ALGORITHM = 'HS256'
/** `typ` of the header, as in RFC 9068: no other token signed with this key counts as an access token. */
const ACCESS_TYPE = 'at+jwt'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type AccessSubject = { userId: number; role: Role; email: string; sessionId: string }
export type RefreshClaims = { sessionId: string; generation: number }

export type Tokens = {
  issueAccess(subject: AccessSubject): Promise<string>
  /** The claims of a valid token that has not expired; null for any other. */
  readAccess(token: string): Promise<AccessClaims | null>
  /** Same session and generation, same token, so that two tabs that refresh at once get the same one. */
  refreshToken(claims: RefreshClaims): string
  /** null if the signature is not ours. The database knows whether the generation is the current one. */
  readRefresh(token: string): RefreshClaims | null
  /** What the database stores of a link's secret. A secret has 256 random bits, so one SHA-256 is enough. */
  hashSecret(secret: string): string
}

/** Access tokens are JWT (HS256); refresh tokens are `session.generation.signature` with another key. */
export function createTokens(settings: { secret: string; accessTokenMinutes: number }, clock: Clock): Tokens {
  const accessKey = createHmac('sha256', settings.secret).update('access').digest()
  const refreshKey = createHmac('sha256', settings.secret).update('refresh').digest()
  const sign = (text: string) => createHmac('sha256', refreshKey).update(text).digest('base64url')

  return {
    issueAccess({ userId, role, email, sessionId }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      const isSuperAdmin = role === Role.SuperAdmin ? 'True' : 'False'
      return new SignJWT({ nameid: String(userId), IsSuperAdmin: isSuperAdmin, email, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TYPE })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + settings.accessTokenMinutes * 60)
        .sign(accessKey)
    },

    async readAccess(token) {
      try {
        const options = {
          algorithms: [ALGORITHM],
          typ: ACCESS_TYPE,
          currentDate: clock.now(),
          requiredClaims: ['exp', 'sid', 'nameid'],
        }
        const { payload } = await jwtVerify<AccessClaims>(token, accessKey, options)
        return UUID.test(payload.sid) ? payload : null
      } catch {
        return null // Every error means the same here: no valid token.
      }
    },

    refreshToken: ({ sessionId, generation }) =>
      `${sessionId}.${generation}.${sign(`${sessionId}.${generation}`)}`,

    readRefresh(token) {
      const [sessionId = '', generation = '', signature = '', ...more] = token.split('.')
      const isOurs = more.length === 0 && equalInConstantTime(signature, sign(`${sessionId}.${generation}`))
      return isOurs ? { sessionId, generation: Number(generation) } : null
    },

    hashSecret: (secret) => createHash('sha256').update(secret).digest('hex'),
  }
}

/** Compares in a time that does not depend on the texts. */
export function equalInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
