import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { logIn, SessionItem, UserTokens } from '@veridict/contract/api/session'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import type { SessionRow, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { endOneSession, ownerOf } from '#users/end-user-sessions.ts'
import { findSessionsOfUser } from '#users/sessions.ts'

type Needs = Pick<Deps, 'db' | 'bus' | 'caller'>

/** The viewer's sessions that still work, the one used last first. */
export const listSessions = (viewer: Viewer, { db }: Pick<Deps, 'db'>): Promise<SessionRow[]> =>
  findSessionsOfUser(db, viewer.userId)

/** Ends one of the viewer's sessions, also the present one. Throws 404 for all others. */
export async function endOwnSession(id: string, viewer: Viewer, deps: Needs): Promise<void> {
  const ended = await endSessions((session) => session.id === id, viewer, deps)
  if (ended === 0) throw notFound('Session')
}

/** Ends all of the viewer's sessions but the present one. */
export const endOtherSessions = (viewer: Viewer, deps: Needs): Promise<number> =>
  endSessions(({ id }) => id !== viewer.sessionId, viewer, deps)

/** Returns how many. */
const endSessions = (
  isMeant: (session: SessionRow) => boolean,
  viewer: Viewer,
  deps: Needs,
): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const sessions = (await listSessions(viewer, { db: trx })).filter(isMeant)
    for (const { id } of sessions) await endOneSession(id, ownerOf(viewer), 'ended by its owner', trx, deps)
    return sessions.length
  })

export const presentLogin = ({ name, email }: UserRow, tokens: UserTokens): ReplyOf<typeof logIn> => ({
  userName: name,
  email,
  userTokens: tokens,
})

export const presentSession = (
  { id, device, address, createdAt, rotatedAt }: SessionRow,
  viewer: Viewer,
): SessionItem => ({
  id,
  device,
  address,
  createdAt: createdAt.toISOString(),
  lastUsedAt: rotatedAt.toISOString(),
  isCurrent: id === viewer.sessionId,
})
