import type { Kysely, Transaction } from 'kysely'
import { readingRows, rowsOfCompany } from '#platform/database/database.ts'
import type { Database } from '#platform/database/tables.ts'

/** Fails the transaction unless the caller may still act, and keeps it so until the transaction ends. */
type HoldAuthority = (trx: Transaction<Database>) => Promise<void>
type CallerView = { reads: Kysely<Database>; writes: Kysely<Database>; hold: HoldAuthority }

const callerViews = new WeakMap<Kysely<Database>, CallerView>()

/**
 * The database of one call: it reads the rows of a company, or all. It writes only in `inTransaction`, which
 * calls `hold` first; any other write throws.
 */
export function viewOfCaller(
  db: Kysely<Database>,
  companyId: number | null,
  hold: HoldAuthority,
): Kysely<Database> {
  const reads = readingRows(db, companyId)
  const view = reads.$extendTables<Record<never, never>>()
  callerViews.set(view, { reads, writes: companyId === null ? db : rowsOfCompany(db, companyId), hold })
  return view
}

/** The view that all calls with the same rows share; any other database is its own. */
export const sharedView = (db: Kysely<Database>): Kysely<Database> => callerViews.get(db)?.reads ?? db

/** Where the writes of a database go, and what they need first. */
export const writingView = (db: Kysely<Database>): Pick<CallerView, 'writes'> & Partial<CallerView> =>
  callerViews.get(db) ?? { writes: db }
