import { sql, type Insertable } from 'kysely'
import type { Database, Db, SessionRow } from '#platform/database/tables.ts'
import { countDeleted, hasRow } from '#platform/database/lists.ts'

export async function addSession(db: Db, session: Insertable<Database['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** Locks the session until the transaction ends, so that parallel refreshes run one after the other. */
export async function lockSession(db: Db, id: string) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .select(
      sql<number>`extract(epoch from clock_timestamp() - rotated_at)::float8`.as('secondsSinceRotation'),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The valid sessions of a user, the last used first. */
export function findSessionsOfUser(db: Db, userId: number): Promise<SessionRow[]> {
  return workingSessions(db, userId).selectAll().orderBy('rotatedAt', 'desc').orderBy('id').execute()
}

/** The ids of a user's sessions except the `skip` last used ones; at most `most` ids. */
export async function findSurplusSessions(
  db: Db,
  userId: number,
  { skip, most }: { skip: number; most: number },
): Promise<string[]> {
  const sessions = workingSessions(db, userId).select('id').orderBy('rotatedAt', 'desc').orderBy('id')
  return (await sessions.offset(skip).limit(most).execute()).map(({ id }) => id)
}

const workingSessions = (db: Db, userId: number) =>
  db
    .selectFrom('sessions')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)

/** Advances the refresh token to `generation` and the end of the session to `expiresAt`. */
export async function rotateSession(db: Db, id: string, generation: number, expiresAt: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ generation, expiresAt, rotatedAt: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Returns false if it had ended before. */
export function endSession(db: Db, id: string): Promise<boolean> {
  const session = db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('id', '=', id)
  return hasRow(session.where('endedAt', 'is', null).returning('id'))
}

/** Returns how many had not ended before. */
export async function endSessionsOfUsers(db: Db, userIds: readonly number[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('userId', '=', sql<number>`any(${[...userIds]}::integer[])`)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes expired and ended sessions; returns how many. */
export const deleteEndedSessions = (db: Db): Promise<number> =>
  countDeleted(
    db
      .deleteFrom('sessions')
      .where((row) =>
        row.or([row('expiresAt', '<', sql<Date>`now()`), row('endedAt', '<', sql<Date>`now()`)]),
      ),
  )
