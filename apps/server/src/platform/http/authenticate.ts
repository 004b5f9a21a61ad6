import { apiKeyHeader } from '@veridict/contract/api/config'
import { companyTokenPrefix } from '@veridict/contract/api/company-tokens'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { FastifyRequest } from 'fastify'
import { unlimitedTables } from '#platform/database/database.ts'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#platform/identity/tokens.ts'
import { type AppError, unauthorized } from '#errors.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'
import { findTokenViewer, findViewer } from '#platform/access/find-viewer.ts'

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

/**
 * The person who sends the request, or the company's token. Session, user, role and company come from the
 * database, never from the token. Throws 401.
 */
export async function authenticate(
  request: FastifyRequest,
  deps: Pick<Deps, 'db' | 'tokens'>,
): Promise<Viewer | TokenViewer> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized(sessionMessages.notLoggedIn)
  if (token.startsWith(companyTokenPrefix)) return viewerOfCompanyToken(token, deps)
  const viewer = await viewerOfToken(token, deps)
  if (viewer === null) throw unauthorized(sessionMessages.sessionEnded)
  return viewer
}

/** The person of an access token, or null if it is not valid (any more). The live socket uses it too. */
export async function viewerOfToken(
  token: string,
  deps: Pick<Deps, 'db' | 'tokens'>,
): Promise<Viewer | null> {
  const claims = deps.tokens.readAccess(token)
  if (claims === null) return null
  const viewer = await findViewer(unlimitedTables(deps.db), claims.sid)
  return viewer !== null && String(viewer.userId) === claims.nameid ? viewer : null
}

async function viewerOfCompanyToken(
  token: string,
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
): Promise<TokenViewer> {
  // Not with `unlimitedTables`: a later version, which runs beside this one during an upgrade, may limit this
  // table by company.
  const viewer = await findTokenViewer(db, tokens.hashSecret(token))
  if (viewer === null) throw unauthorized(companyTokenMessages.notValid)
  return viewer
}
