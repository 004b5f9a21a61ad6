import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/tables.ts'
import { countDeleted, hasRow } from '#platform/database/lists.ts'

/** `address`: what the attempts are counted by: an address, or the known browsers of the account. */
export type WrongPassword = { address: string; secondsAgo: number }

/** Serializes the counting for one account until the transaction ends. */
export async function lockAccount(trx: Trx, account: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`veridict: guess ${account}`}, 0))`.execute(trx)
}

/** The wrong passwords of an account in the last 24 hours, newest first. */
export function findWrongPasswords(db: Db, account: string): Promise<WrongPassword[]> {
  return db
    .selectFrom('wrongPasswords')
    .select(['address', sql<number>`extract(epoch from clock_timestamp() - at)::float8`.as('secondsAgo')])
    .where('account', '=', account)
    .where('at', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .orderBy('at', 'desc')
    .execute()
}

export async function addWrongPassword(db: Db, attempt: { account: string; address: string }) {
  const { id } = await db
    .insertInto('wrongPasswords')
    .values(attempt)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function removeWrongPassword(db: Db, id: number): Promise<void> {
  await db.deleteFrom('wrongPasswords').where('id', '=', id).execute()
}

/** Whether the user logged in from this address within the last `milliseconds`. */
export function isKnownAddress(
  db: Db,
  { userId, address, milliseconds }: { userId: number; address: string; milliseconds: number },
): Promise<boolean> {
  const known = db.selectFrom('loginAddresses').where('userId', '=', userId).where('address', '=', address)
  return hasRow(known.where('lastAt', '>', since(milliseconds)).select('address'))
}

export async function rememberAddress(db: Db, login: { userId: number; address: string }): Promise<void> {
  await db
    .insertInto('loginAddresses')
    .values(login)
    .onConflict((conflict) => conflict.columns(['userId', 'address']).doUpdateSet({ lastAt: sql`now()` }))
    .execute()
}

export async function forgetAddresses(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('loginAddresses').where('userId', '=', userId).execute()
}

/** Deletes the attempts that are too old for every rule; returns how many. */
export async function deleteOldGuesses(db: Db, addressMilliseconds: number): Promise<number> {
  const guesses = db.deleteFrom('wrongPasswords').where('at', '<', sql<Date>`now() - interval '24 hours'`)
  const addresses = db.deleteFrom('loginAddresses').where('lastAt', '<', since(addressMilliseconds))
  return (await countDeleted(guesses)) + (await countDeleted(addresses))
}

const since = (milliseconds: number) => sql<Date>`now() - make_interval(secs => ${milliseconds / 1000})`
