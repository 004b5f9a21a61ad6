import { sql, type Kysely } from 'kysely'
import type { Database, SessionRow } from '#db/tables.ts'
import type { Viewer } from '#policies/viewer.ts'

/**
 * Who a session belongs to right now, or null when the session ended or expired, or its user or company was
 * deleted. Run at every request, one look-up by primary keys: so logging out and deletions work at once, not
 * when the token expires.
 */
export async function findViewer(db: Kysely<Database>, sessionId: string): Promise<Viewer | null> {
  const row = await db
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
    .where('sessions.id', '=', sessionId)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where('users.deletedAt', 'is', null)
    .where('companies.deletedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export async function addSession(
  db: Kysely<Database>,
  session: { id: string; userId: number; expiresAt: Date },
): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** The session with its row locked until the transaction ends, so that parallel refreshes take turns. */
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

/** The next generation of the refresh token begins, and the session lives on until `expiresAt`. */
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

export async function endSession(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
}

export async function endSessionsOfUser(db: Kysely<Database>, userId: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ endedAt: sql`now()` })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .execute()
}

/** Removes sessions that nobody can use any more. */
export async function deleteSpentSessions(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((row) => row.or([row('expiresAt', '<', sql<Date>`now()`), row('endedAt', '<', sql<Date>`now()`)]))
    .execute()
}
