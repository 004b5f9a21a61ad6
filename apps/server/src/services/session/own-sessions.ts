import type { SessionRow } from '#db/tables.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import type { Viewer } from '#policies/viewer.ts'
import { findSessionsOfUser } from '#repositories/sessions.ts'
import { endOneSession, ownerOf } from '#services/session/end-user-sessions.ts'

/** The viewer's sessions that still work, the one used last first. */
export const listSessions = (viewer: Viewer, { db }: Pick<Deps, 'db'>): Promise<SessionRow[]> =>
  findSessionsOfUser(db, viewer.userId)

/** Ends one of the viewer's sessions, also the present one. Throws 404 for all others. */
export async function endOwnSession(
  id: string,
  viewer: Viewer,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<void> {
  const sessions = await listSessions(viewer, deps)
  if (!sessions.some((session) => session.id === id)) throw notFound('Session')
  await endAll([id], viewer, deps)
}

/** Ends all of the viewer's sessions but the present one. */
export async function endOtherSessions(
  viewer: Viewer,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<void> {
  const sessions = await listSessions(viewer, deps)
  await endAll(
    sessions.map(({ id }) => id).filter((id) => id !== viewer.sessionId),
    viewer,
    deps,
  )
}

async function endAll(
  ids: readonly string[],
  viewer: Viewer,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    for (const id of ids) await endOneSession(id, ownerOf(viewer), 'ended by its owner', trx, deps)
  })
}
