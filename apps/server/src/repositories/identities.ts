import { sql, type Kysely, type Transaction } from 'kysely'
import { countDeleted } from '#repositories/lists.ts'
import type { Database } from '#db/tables.ts'

/** Who the user is at a provider; undefined before the first single sign-on there. */
export const findSubject = async (
  db: Kysely<Database>,
  userId: number,
  issuer: string,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('userIdentities')
      .where('userId', '=', userId)
      .where('issuer', '=', issuer)
      .select('subject')
      .executeTakeFirst()
  )?.subject

/** The user, deleted or not, whose identity this is. */
export const findUserIdOfIdentity = async (
  db: Kysely<Database>,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<number | undefined> =>
  (
    await db
      .selectFrom('userIdentities')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .select('userId')
      .executeTakeFirst()
  )?.userId

/** Returns false if another transaction bound the identity meanwhile. */
export async function addIdentity(
  trx: Transaction<Database>,
  identity: { userId: number; issuer: string; subject: string },
): Promise<boolean> {
  const added = await trx
    .insertInto('userIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  return added !== undefined
}

/** The next single sign-on with the user's e-mail binds the account again. */
export async function deleteIdentities(db: Kysely<Database>, userId: number): Promise<void> {
  await db.deleteFrom('userIdentities').where('userId', '=', userId).execute()
}

export async function addTicket(
  db: Kysely<Database>,
  { tokenHash, userId, seconds }: { tokenHash: string; userId: number; seconds: number },
): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${seconds})`
  await db.insertInto('signOnTickets').values({ tokenHash, userId, expiresAt }).execute()
}

/** Uses a ticket and returns its user; undefined if the ticket is unknown, used or expired. */
export async function takeTicket(db: Kysely<Database>, tokenHash: string): Promise<number | undefined> {
  const usedTicket = await db
    .deleteFrom('signOnTickets')
    .where('tokenHash', '=', tokenHash)
    .returning(['userId', sql<boolean>`expires_at > now()`.as('isValid')])
    .executeTakeFirst()
  return usedTicket?.isValid ? usedTicket.userId : undefined
}

/** Deletes the user's tickets, so that a sign-on which was not exchanged yet starts no session. */
export async function deleteTickets(trx: Transaction<Database>, userId: number): Promise<void> {
  await trx.deleteFrom('signOnTickets').where('userId', '=', userId).execute()
}

/** Returns how many. */
export const deleteExpiredTickets = (db: Kysely<Database>): Promise<number> =>
  countDeleted(db.deleteFrom('signOnTickets').where('expiresAt', '<', sql<Date>`now()`))
