import { sql, type Insertable, type Kysely } from 'kysely'
import { batchReads } from '#platform/database/shared-reads.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Database, SessionRow } from '#platform/database/tables.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { countDeleted, hasRow } from '#platform/database/lists.ts'

/** The users of sessions, by the id of the session. */
const readViewers = batchReads(async (db, sessionIds: readonly string[]) => {
  const viewers = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('companies', 'companies.id', 'users.companyId')
    .select([
      'users.id as userId',
      'users.companyId',
      'users.role',
      'users.name',
      'users.email',
      'sessions.id as sessionId',
    ])
    .where('sessions.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where('users.deletedAt', 'is', null)
    .where('companies.deletedAt', 'is', null)
  return new Map((await runPrepared(db, viewers)).map((viewer) => [viewer.sessionId, viewer]))
})

/**
 * The user of a session, or null if the session ended or expired, or its user or company was deleted. Read in
 * every request (by primary keys, together with others that wait), so that logging out and deletions take
 * effect at once.
 */
export const findViewer = async (db: Kysely<Database>, sessionId: string): Promise<Viewer | null> =>
  (await readViewers(db, sessionId)) ?? null

export async function addSession(
  db: Kysely<Database>,
  session: Insertable<Database['sessions']>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** Locks the session until the transaction ends, so that parallel refreshes run one after the other. */
export async function lockSession(
  db: Kysely<Database>,
  id: string,
): Promise<(SessionRow & { secondsSinceRotation: number }) | undefined> {
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
export function findSessionsOfUser(db: Kysely<Database>, userId: number): Promise<SessionRow[]> {
  return workingSessions(db, userId).selectAll().orderBy('rotatedAt', 'desc').orderBy('id').execute()
}

/** The ids of a user's sessions except the `skip` last used ones; at most `most` ids. */
export async function findSurplusSessions(
  db: Kysely<Database>,
  userId: number,
  { skip, most }: { skip: number; most: number },
): Promise<string[]> {
  const sessions = workingSessions(db, userId).select('id').orderBy('rotatedAt', 'desc').orderBy('id')
  return (await sessions.offset(skip).limit(most).execute()).map(({ id }) => id)
}

const workingSessions = (db: Kysely<Database>, userId: number) =>
  db
    .selectFrom('sessions')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)

/** Advances the refresh token to `generation` and the end of the session to `expiresAt`. */
export async function rotateSession(
  db: Kysely<Database>,
  id: string,
  generation: number,
  expiresAt: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ generation, expiresAt, rotatedAt: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Returns false if it had ended before. */
export function endSession(db: Kysely<Database>, id: string): Promise<boolean> {
  const session = db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('id', '=', id)
  return hasRow(session.where('endedAt', 'is', null).returning('id'))
}

/** Returns how many had not ended before. */
export async function endSessionsOfUser(db: Kysely<Database>, userId: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes expired and ended sessions; returns how many. */
export const deleteEndedSessions = (db: Kysely<Database>): Promise<number> =>
  countDeleted(
    db
      .deleteFrom('sessions')
      .where((row) =>
        row.or([row('expiresAt', '<', sql<Date>`now()`), row('endedAt', '<', sql<Date>`now()`)]),
      ),
  )
