import { sessionTimes } from '@veridict/contract/limits'
import type { UserTokens } from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RefreshClaims } from '#drivers/tokens.ts'
import { unauthorized } from '#errors.ts'
import type { Viewer } from '#policies/viewer.ts'
import { endSession, findViewer, lockSession, rotateSession } from '#repositories/sessions.ts'
import { issueTokens, sessionExpiry } from '#services/session/open-session.ts'

type RefreshDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'env' | 'tokens' | 'log'>
type Outcome = { viewer: Viewer; generation: number } | 'ended' | 'reused'

const GRACE_SECONDS = sessionTimes.refreshGrace / 1000

/**
 * Exchanges a refresh token for the next pair. The newest token moves the session on; the one before it
 * yields the same successor for 30 s, because two tabs refresh at once; any other use of an old token is
 * taken for theft and ends the session for everybody who holds a token of it. Throws 401.
 */
export async function refreshSession(refreshToken: string, deps: RefreshDeps): Promise<UserTokens> {
  const claims = deps.tokens.readRefresh(refreshToken)
  if (claims === null) throw unauthorized(sessionMessages.sessionEnded)
  // The outcome is answered and not thrown, because throwing would roll back the end of a session.
  const outcome = await inTransaction(deps.db, (trx) => rotate(claims, trx, deps))
  if (outcome === 'reused')
    deps.log.warn(
      { sessionId: claims.sessionId },
      'an old refresh token was used again; its session was ended',
    )
  if (typeof outcome === 'string') throw unauthorized(sessionMessages.sessionEnded)
  return issueTokens(outcome.viewer, outcome.generation, deps)
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
    await rotateSession(trx, session.id, session.generation + 1, sessionExpiry(deps))
    return { viewer, generation: session.generation + 1 }
  }
  const isPrevious = claims.generation === session.generation - 1
  if (isPrevious && session.secondsSinceRotation <= GRACE_SECONDS)
    return { viewer, generation: session.generation }
  await endSession(trx, session.id)
  await deps.bus.publishEnd({ sessionId: session.id }, trx)
  return 'reused'
}
