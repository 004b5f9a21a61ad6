import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie that no script can read. With https its name keeps other hosts of the domain from setting it. */
export type SafeCookie = { name: string; seconds: number; sameSite: 'Lax' | 'Strict' }

const fullName = ({ name }: SafeCookie, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

const isHttps = (request: FastifyRequest): boolean => request.server.deps.env.publicUrl.startsWith('https:')

export function readCookie(request: FastifyRequest, cookie: SafeCookie): string | null {
  const prefix = `${fullName(cookie, isHttps(request))}=`
  const found = (request.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(prefix))
  return found === undefined ? null : found.slice(prefix.length)
}

/** `value` has characters of base64url and dots only. */
export function setCookie(reply: FastifyReply, cookie: SafeCookie, value: string): void {
  const secure = isHttps(reply.request)
  reply.header(
    'Set-Cookie',
    `${fullName(cookie, secure)}=${value}; Path=/; Max-Age=${cookie.seconds}; HttpOnly; ` +
      `SameSite=${cookie.sameSite}` +
      (secure ? '; Secure' : ''),
  )
}

export const clearCookie = (reply: FastifyReply, cookie: SafeCookie): void =>
  setCookie(reply, { ...cookie, seconds: 0 }, '')
