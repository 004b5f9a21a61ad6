import { readingRows, rowsOfCompany } from '#platform/database/database.ts'
import type { Db, Trx } from '#platform/database/tables.ts'

/** Fails the transaction unless the caller may still act, and keeps it so until the transaction ends. */
type HoldAuthority = (trx: Trx) => Promise<void>
type CallerView = { reads: Db; writes: Db; hold: HoldAuthority }

const callerViews = new WeakMap<Db, CallerView>()

/** Reads the rows of a company, or all. Throws for writes outside `inTransaction`, which calls `hold`. */
export function viewOfCaller(db: Db, companyId: number | null, hold: HoldAuthority): Db {
  const reads = readingRows(db, companyId)
  const view = reads.$extendTables<Record<never, never>>()
  callerViews.set(view, { reads, writes: companyId === null ? db : rowsOfCompany(db, companyId), hold })
  return view
}

/** The view that all calls with the same rows share; any other database is its own. */
export const sharedView = (db: Db): Db => callerViews.get(db)?.reads ?? db

/** Where the writes of a database go, and what they need first. */
export const writingView = (db: Db): Pick<CallerView, 'writes'> & Partial<CallerView> =>
  callerViews.get(db) ?? { writes: db }
