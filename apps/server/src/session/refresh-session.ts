import { sessionTimes } from '@veridict/contract/limits'
import type { UserTokens } from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RefreshClaims } from '#platform/identity/tokens.ts'
import { unauthorized } from '#errors.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { findViewer } from '#platform/access/find-viewer.ts'
import { lockSession, rotateSession } from '#users/sessions.ts'
import { endOneSession, ownerOf } from '#users/end-user-sessions.ts'
import { issueTokens, sessionExpiry } from '#session/open-session.ts'

type RefreshDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'env' | 'tokens' | 'log' | 'caller' | 'limits'>
type Outcome = { viewer: Viewer; generation: number } | 'ended' | 'reused'

const GRACE_SECONDS = sessionTimes.refreshGrace / 1000

/**
 * Exchanges a refresh token for the next pair. The newest token advances the session. For 30 s the token
 * before it gives the same successor, because two tabs may refresh at once. Any other use of an old token
 * counts as theft and ends the session. Throws 401, and 429 while too many refreshes wait.
 */
export async function refreshSession(refreshToken: string, deps: RefreshDeps): Promise<UserTokens> {
  const claims = deps.tokens.readRefresh(refreshToken)
  if (claims === null) throw unauthorized(sessionMessages.sessionEnded)
  // Returned and not thrown: throwing would roll back the end of the session.
  const outcome = await inTurn(claims, deps, () => inTransaction(deps.db, (trx) => rotate(claims, trx, deps)))
  if (outcome === 'reused')
    deps.log.warn(
      { sessionId: claims.sessionId },
      'an old refresh token was used again; its session was ended',
    )
  if (typeof outcome === 'string') throw unauthorized(sessionMessages.sessionEnded)
  return issueTokens(outcome.viewer, outcome.generation, deps)
}

/** Refreshes of one session wait here and not for its row, each with a connection. */
async function inTurn<T>(
  { sessionId }: RefreshClaims,
  { limits }: RefreshDeps,
  work: () => Promise<T>,
): Promise<T> {
  const leaveSession = await limits.refreshesOfSession.enter(sessionId)
  try {
    const leave = await limits.refreshes.enter('all')
    return await work().finally(leave)
  } finally {
    leaveSession()
  }
}

async function rotate(
  claims: RefreshClaims,
  trx: Transaction<Database>,
  deps: RefreshDeps,
): Promise<Outcome> {
  const session = await lockSession(trx, claims.sessionId)
  const viewer = await findViewer(trx, claims.sessionId)
  if (session === undefined || viewer === null) return 'ended'
  if (claims.generation === session.generation) {
    await rotateSession(trx, session.id, session.generation + 1, sessionExpiry(session.createdAt, deps))
    return { viewer, generation: session.generation + 1 }
  }
  const isPrevious = claims.generation === session.generation - 1
  if (isPrevious && session.secondsSinceRotation <= GRACE_SECONDS)
    return { viewer, generation: session.generation }
  await endOneSession(session.id, ownerOf(viewer), 'an old refresh token was used again', trx, deps)
  return 'reused'
}
