import { sql } from 'kysely'
import type { Db, SessionOrigin, Trx } from '#platform/database/tables.ts'
import { countDeleted, hasRow } from '#platform/database/lists.ts'

/** Who the user is at a provider; undefined before the first single sign-on there. */
export async function findSubject(db: Db, userId: number, issuer: string): Promise<string | undefined> {
  const identity = db.selectFrom('userIdentities').where('userId', '=', userId).where('issuer', '=', issuer)
  return (await identity.select('subject').executeTakeFirst())?.subject
}

/** The user, deleted or not, whose identity this is. */
export async function findUserIdOfIdentity(db: Db, { issuer, subject }: { issuer: string; subject: string }) {
  const identity = db.selectFrom('userIdentities').where('issuer', '=', issuer).where('subject', '=', subject)
  return (await identity.select('userId').executeTakeFirst())?.userId
}

/** Returns false if another transaction bound the identity meanwhile. */
export function addIdentity(trx: Trx, identity: { userId: number; issuer: string; subject: string }) {
  const insert = trx.insertInto('userIdentities').values(identity)
  return hasRow(insert.onConflict((conflict) => conflict.doNothing()).returning('userId'))
}

/** The next single sign-on with the user's e-mail binds the account again. */
export async function deleteIdentities(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('userIdentities').where('userId', '=', userId).execute()
}

export async function addTicket(
  db: Db,
  { seconds, ...ticket }: { tokenHash: string; userId: number; seconds: number } & SessionOrigin,
): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${seconds})`
  await db
    .insertInto('signOnTickets')
    .values({ ...ticket, expiresAt })
    .execute()
}

/** The user of a ticket; undefined if the ticket is unknown, used or expired. */
export async function findUserIdOfTicket(db: Db, tokenHash: string): Promise<number | undefined> {
  const ticket = db.selectFrom('signOnTickets').where('tokenHash', '=', tokenHash)
  return (
    await ticket
      .where('expiresAt', '>', sql<Date>`now()`)
      .select('userId')
      .executeTakeFirst()
  )?.userId
}

/** Uses a ticket and returns where it began; undefined if another transaction has used or deleted it. */
export const takeTicket = (trx: Trx, tokenHash: string): Promise<SessionOrigin | undefined> =>
  trx
    .deleteFrom('signOnTickets')
    .where('tokenHash', '=', tokenHash)
    .returning(['issuer', 'subject', 'providerSessionId'])
    .executeTakeFirst()

export async function deleteTicketsOf(trx: Trx, logout: SessionOrigin): Promise<void> {
  await trx.deleteFrom('signOnTickets').where(isEndedBy(logout)).execute()
}

export const findSessionsOf = (trx: Trx, logout: SessionOrigin) =>
  trx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .where('sessions.endedAt', 'is', null)
    .where(isEndedBy(logout))
    .select(['sessions.id as sessionId', 'users.id', 'users.email', 'users.companyId'])
    .execute()

/** A logout of one session ends those with its id, and of the person those without one. null is not true. */
const isEndedBy = ({ issuer, subject, providerSessionId }: SessionOrigin) =>
  sql<boolean>`issuer = ${issuer} and (
    provider_session_id = ${providerSessionId}
    or subject = ${subject} and (${providerSessionId}::text is null or provider_session_id is null)
  )`

/** Returns false for a logout that arrived before. */
export const addLogout = (trx: Trx, idHash: string): Promise<boolean> =>
  hasRow(
    trx
      .insertInto('providerLogouts')
      .values({ idHash, expiresAt: sql<Date>`now() + ${LOGOUT_KEPT}` })
      .onConflict((conflict) => conflict.doNothing())
      .returning('idHash'),
  )

/** Longer than any logout token is accepted. */
const LOGOUT_KEPT = sql`interval '1 hour'`

export const deleteOldLogouts = (db: Db): Promise<number> =>
  countDeleted(db.deleteFrom('providerLogouts').where('expiresAt', '<', sql<Date>`now()`))

/** Deletes the user's tickets, so that a sign-on which was not exchanged yet starts no session. */
export async function deleteTickets(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('signOnTickets').where('userId', '=', userId).execute()
}

export const deleteExpiredTickets = (db: Db): Promise<number> =>
  countDeleted(db.deleteFrom('signOnTickets').where('expiresAt', '<', sql<Date>`now()`))
