import { Socket } from 'node:net'
import { companyTokenPrefix } from '@veridict/contract/api/company-tokens'
import { apiKeyHeader } from '@veridict/contract/api/config'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { FastifyRequest, FastifyInstance } from 'fastify'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#platform/identity/tokens.ts'
import { AppError, unauthorized } from '#errors.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'
import { findTokenViewer, findViewerOf } from '#platform/access/find-viewer.ts'
import type { EndEvent } from '#platform/live/status-bus.ts'

const API_KEY = apiKeyHeader.toLowerCase()

/** Throws 401 unless the request has the API key of the application. See docs/BEHAVIOUR.md#calls. */
export function checkApiKey(request: FastifyRequest, apiKey: string): void {
  const given = request.headers[API_KEY]
  if (typeof given !== 'string' || !equalInConstantTime(given, apiKey))
    throw unauthorized(sessionMessages.wrongApiKey)
}

/** The refusal of a caller whose session or token does not work any more. */
export const authorityEnded = (viewer: Viewer | TokenViewer | null): AppError =>
  unauthorized(viewer?.role === 'token' ? companyTokenMessages.notValid : sessionMessages.sessionEnded)

/** Session, user, role and company come from the database, never from the token. Throws 401. */
export async function authenticate(
  request: FastifyRequest,
  deps: Pick<Deps, 'db' | 'tokens'>,
): Promise<Viewer | TokenViewer> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized(sessionMessages.notLoggedIn)
  if (token.startsWith(companyTokenPrefix)) return viewerOfCompanyToken(token, deps)
  const viewer = await findViewerOf(deps.tokens.readAccess(token), deps)
  if (viewer === null) throw unauthorized(sessionMessages.sessionEnded)
  return viewer
}

async function viewerOfCompanyToken(
  token: string,
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
): Promise<TokenViewer> {
  // Not `unlimitedTables`: a later version beside this one may limit this table by company.
  const viewer = await findTokenViewer(db, tokens.hashSecret(token))
  if (viewer === null) throw unauthorized(companyTokenMessages.notValid)
  return viewer
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Those of people and tokens that have no whole reply yet. */
    callsInFlight: Set<FastifyRequest>
    /** How many ends of sessions, users and tokens were announced to this server, and gaps in the news. */
    endsAnnounced: number
  }
  interface FastifyRequest {
    /** It waits for its turn, or a long reply is being sent. */
    canBeCut: boolean
    /** Its session, user or token ended after it was authenticated. */
    hasEnded: boolean
  }
}

/**
 * Cuts calls whose session, user or token ends, while they wait, send their body or get a long reply. Others
 * are being worked on: their writes ask again (`inTransaction`), and one may have ended its own session and
 * must get its reply.
 */
export function cutEndedCalls(app: FastifyInstance): void {
  const calls = new Set<FastifyRequest>()
  app.decorate('callsInFlight', calls)
  app.decorate('endsAnnounced', 0)
  app.decorateRequest('canBeCut', false)
  app.decorateRequest('hasEnded', false)
  const stopFollowing = app.deps.bus.subscribe({
    onStatus() {},
    onEnd(end) {
      app.endsAnnounced++
      for (const request of calls) if (isOf(request, end)) cut(request)
    },
    // Events may be lost.
    onGap() {
      app.endsAnnounced++
      for (const request of calls)
        authenticate(request, app.deps).catch((error) => error instanceof AppError && cut(request))
    },
  })
  app.addHook('preClose', async () => {
    stopFollowing()
  })
}

/** Cuts the call when the authority ends, and reads that again if an end was announced. Throws 401. */
export async function authenticateAndFollow(request: FastifyRequest, deps: Deps) {
  const { server } = request
  const { endsAnnounced } = server
  const viewer = await authenticate(request, deps)
  // Set before a refusal can be thrown, because the log names the caller of a refused call.
  request.viewer = viewer
  server.callsInFlight.add(request)
  if (server.endsAnnounced !== endsAnnounced) await authenticate(request, deps)
  return viewer
}

function isOf({ viewer }: FastifyRequest, end: EndEvent): boolean {
  if (viewer === null) return false
  if (viewer.role === 'token') return 'tokenId' in end && end.tokenId === viewer.tokenId
  if ('userId' in end) return end.userId === viewer.userId
  return 'sessionId' in end && end.sessionId === viewer.sessionId
}

function cut(request: FastifyRequest): void {
  request.hasEnded = true
  const { raw, canBeCut } = request
  // Requests that tests inject have no socket.
  if ((raw.complete && !canBeCut) || !(raw.socket instanceof Socket)) return
  request.log.info('a call was cut because its session, user or token ended')
  raw.socket.destroy()
}

/** To be called before a long reply, which can be cut from now on. Throws 401 if the authority has ended. */
export function refuseEnded(request: FastifyRequest): void {
  if (request.hasEnded) throw authorityEnded(request.viewer)
  request.canBeCut = true
}
