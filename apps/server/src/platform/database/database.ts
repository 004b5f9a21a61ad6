import { Socket } from 'node:net'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { openTables } from '#platform/database/open-tables.ts'
import { allRowsOption, connectTo, type View, type VisibleRows } from '#platform/database/pool-connection.ts'
import type { Db } from '#platform/database/tables.ts'

const SECOND = 1000
const INT8 = 20

/** Sends together what is written until the event loop goes on: each time wakes a process of the database. */
class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}

/** Settings of every connection. A query fails within 5 s if the database is stopped, 10 s if it hangs. */
const connectionSettings = {
  max: 10,
  idleTimeoutMillis: 30 * SECOND,
  connectionTimeoutMillis: 4 * SECOND,
  statement_timeout: 8 * SECOND,
  query_timeout: 9 * SECOND,
  // A frozen process must not keep the locks of its transaction.
  idle_in_transaction_session_timeout: 30 * SECOND,
  keepAlive: true,
  pipeline: true,
  stream: () => new GatheringSocket(),
  application_name: 'veridict',
} as const

/** bigint columns are read as numbers: they hold sizes and ids, far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

const pools = new WeakMap<Db, pg.Pool>()
/** The views of a pool, by the rows that their connections see and what they may do. */
const views = new WeakMap<pg.Pool, Map<string, Db>>()

/** Connections of a database opened here: idle ones, those in use, and calls that wait for one. */
export function poolStateOf(db: Db): { idle: number; busy: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {}
  return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount }
}

/** The next version moves the tables out of `public`. JIT took 130 of the 160 ms of a statement. */
const ownOptions = '-c search_path=veridict,public -c jit=off'

/** Connections take on the role, if any, and see all rows. Options that the URL has are kept. */
export function connectionOptions(url: string, { role = null }: { role?: string | null } = {}) {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.delete('options')
  const ofRole = role === null ? '' : `-c role=${role} ${allRowsOption}`
  return { connectionString: address.href, options: `${ownOptions} ${given} ${ofRole}`.trim() }
}

export type DatabaseOptions = {
  /** Gets the errors of all connections; without a listener they would end the process. */
  onError?: (error: Error) => void
  /** The role that connections take on; without one they are those of the URL's user. */
  role?: string | null
}

/** Databases whose rows can be limited by company. */
const limitable = new WeakSet<Db>()

/** Connects with the first query. With a role, it sees all rows until `rowsOfCompany` limits them. */
export function openDatabase(url: string, { onError = () => {}, role = null }: DatabaseOptions = {}): Db {
  const pool = new pg.Pool({ ...connectionOptions(url, { role }), types, ...connectionSettings })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const db = viewOf(pool, { rows: role === null ? null : 'all', isReadOnly: false })
  pools.set(db, pool)
  if (role !== null) limitable.add(db)
  return db
}

const viewOf = (pool: pg.Pool, view: View): Db =>
  openTables(
    new PostgresDialect({
      pool: { connect: () => connectTo(pool, view), end: () => pool.end(), options: {} },
    }),
  )

/**
 * Only one company's rows exist (row-level security), so that a statement without a filter cannot return
 * others. Without effect where the portal connects as the owner of the database.
 */
export const rowsOfCompany = (db: Db, companyId: number): Db => seeing(db, `${companyId}`)

/** Serves tables that no company limits: connections stay as they are, which saves a statement per call. */
export const unlimitedTables = (db: Db): Db => seeing(db, null)

/** Throws for writes. */
export const readingRows = (db: Db, companyId: number | null): Db =>
  seeing(db, companyId === null ? 'all' : `${companyId}`, true)

/** The same rows always give the same object, because `shareRead` finds shared reads by it. */
function seeing(db: Db, rows: VisibleRows | null, isReadOnly = false): Db {
  const pool = pools.get(db)
  if (pool === undefined || (!isReadOnly && !limitable.has(db))) return db
  const known = views.get(pool) ?? new Map<string, Db>()
  views.set(pool, known)
  const key = `${rows} ${isReadOnly}`
  const view = known.get(key) ?? viewOf(pool, { rows: limitable.has(db) ? rows : null, isReadOnly })
  known.set(key, view)
  return view
}

/** The database through the connection of `client`, also in its transaction. Closing it does nothing. */
export function databaseOn(client: pg.Client): Db {
  const connection = { query: client.query.bind(client), release() {} } as unknown as pg.PoolClient
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  return openTables(new PostgresDialect({ pool }))
}
