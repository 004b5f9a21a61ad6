import { guessLimits } from '@veridict/contract/limits'
import Bowser from 'bowser'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRow } from '#platform/database/tables.ts'
import { callerAddress } from '#platform/http/caller-address.ts'
import { readCookie, type SafeCookie, setCookie } from '#platform/http/cookies.ts'
import type { BrowserClaims } from '#platform/identity/tokens.ts'
import type { LoginPlace } from '#session/open-session.ts'

export const loginPlaceOf = (request: FastifyRequest): LoginPlace => ({
  device: deviceName(request.headers['user-agent']),
  address: callerAddress(request),
  browser: knownBrowser(request),
})

/** Gives no right: it only keeps wrong passwords of others from counting for this browser. */
const browserCookie: SafeCookie = {
  name: 'veridict-browser',
  seconds: guessLimits.known / 1000,
  sameSite: 'Strict',
}

/** Who logged in last in the browser of a request; null for one that is not known. */
function knownBrowser(request: FastifyRequest): BrowserClaims | null {
  const token = readCookie(request, browserCookie)
  return token === null ? null : request.server.deps.tokens.readBrowser(token)
}

/** Makes the browser known to the account of a user who has just used a password or a link. */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  { id: userId, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
): void {
  const { tokens, ids } = request.server.deps
  const known = knownBrowser(request)
  const browserId = known?.userId === userId ? known.browserId : ids.uuid()
  const passwordMark = tokens.passwordMark(passwordHash)
  setCookie(reply, browserCookie, tokens.browserToken({ userId, browserId, passwordMark }))
}

/** Longer ones are not of browsers, and parsing them takes time. */
const MAX_LENGTH = 500

/** "Firefox on Windows" of a User-Agent, in words for people; '' where nothing is known. */
export function deviceName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MAX_LENGTH) return ''
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name === undefined) return os.name ?? ''
  return os.name === undefined ? browser.name : `${browser.name} on ${os.name}`
}
