import { sessionLimits } from '@veridict/contract/limits'
import type { Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { stopWrites } from '#platform/access/authority.ts'
import { deleteTickets } from '#users/identities.ts'
import { endSession, endSessionsOfUsers, findSurplusSessions } from '#users/sessions.ts'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'

export type SessionOwner = { id: number; email: string; companyId: number | null }
/** Why sessions end, for the audit trail. */
type Reason =
  | 'logged out'
  | 'ended by its owner'
  | 'an old refresh token was used again'
  | 'too many sessions'
  | 'the password was set'
  | 'reset by an administrator'
  | 'the e-mail was changed'
  | 'the user was deleted'
  | 'ended by the identity provider'

type Needs = Pick<Deps, 'bus' | 'caller'>

/** Cuts sockets, calls and sign-ons, too. Lock the user (`lockUser`), so that no write begins meanwhile. */
export async function endUserSessions(
  owner: SessionOwner,
  reason: Reason,
  trx: Trx,
  deps: Needs,
): Promise<void> {
  await deleteTickets(trx, owner.id)
  const sessions = await endSessionsOfUsers(trx, [owner.id])
  await deps.bus.publishEnd({ userId: owner.id }, trx)
  if (sessions > 0) await record(owner, { reason, sessions }, trx, deps)
}

/** Ends one session at once: its tokens stop working, its sockets and calls are cut. */
export async function endOneSession(
  sessionId: string,
  owner: SessionOwner,
  reason: Reason,
  trx: Trx,
  deps: Needs,
): Promise<void> {
  await stopWrites(trx, { userId: owner.id })
  const isEnded = await endSession(trx, sessionId)
  await deps.bus.publishEnd({ sessionId }, trx)
  if (isEnded) await record(owner, { reason, sessions: 1 }, trx, deps)
}

/** Bounds a login: before there was a limit, a person may have begun thousands of sessions. */
const MAX_ENDED_AT_ONCE = 10

/** Makes place for one more session of a person: ends those used least recently, if there are too many. */
export async function endSurplusSessions(owner: SessionOwner, trx: Trx, deps: Needs): Promise<void> {
  const limits = { skip: sessionLimits.perPerson - 1, most: MAX_ENDED_AT_ONCE }
  for (const id of await findSurplusSessions(trx, owner.id, limits))
    await endOneSession(id, owner, 'too many sessions', trx, deps)
}

export const ownerOf = ({ userId, email, companyId }: Viewer): SessionOwner => ({
  id: userId,
  email,
  companyId,
})

const record = (
  { email: subject, companyId }: SessionOwner,
  after: { reason: Reason; sessions: number },
  trx: Trx,
  deps: Needs,
): Promise<void> =>
  recordAudit({ action: 'session.ended', subject, companyId, detail: onlyAfter(after) }, trx, deps)
