import pg from 'pg'
import { LEASE_HOLDER_LOCK } from '#platform/jobs/leases.ts'
import { fixture } from '#simulation/fixture.ts'
import { camelCased, type Row, snakeCase } from '#simulation/rows.ts'

const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** What now() and clock_timestamp() return, in milliseconds since 1970. */
export type StatementTime = { transaction: number; clock: number }
export type Result = { rows: Row[]; count: number }
type Outcome = { result: Result } | { error: unknown }

/** A row that was committed: null before it was inserted, and after it was deleted. */
export type Change = { table: string; before: Row | null; after: Row | null }
type RecordedChange = Change & { id: number }

/** Turns of the event loop in which a statement that waits for nothing usually returns. */
const TURNS_BEFORE_LOCKS_ARE_READ = 200

/**
 * Functions before those of PostgreSQL in the search path replace the clock of the database, and a trigger
 * records the changes of the tables that the invariants follow.
 */
const setUp = `
  create schema simulated;
  create function simulated.now() returns timestamptz language sql stable
    as $$ select current_setting('simulated.now')::timestamptz $$;
  create function simulated.clock_timestamp() returns timestamptz language sql volatile
    as $$ select current_setting('simulated.clock')::timestamptz $$;
  create table simulated.changes
    (id bigserial, "table" text not null, before jsonb, after jsonb);
  create function simulated.record_change() returns trigger language plpgsql as $$ begin
    insert into simulated.changes ("table", before, after)
      values (tg_table_name, to_jsonb(old), to_jsonb(new));
    return null;
  end $$;
  create trigger record_change after insert or update or delete on submissions
    for each row execute function simulated.record_change();
  create trigger record_change after insert or update or delete on mails
    for each row execute function simulated.record_change();
  -- Its triggers forbid TRUNCATE, which begins each simulation.
  alter table audit_entries disable trigger user;`

/**
 * Only the simulation decides when something happens: no vacuum, no time-based write of commits that do not
 * wait for the disk, and deadlocks are found by `LockWaits`.
 */
const settings = [
  `autovacuum = off`,
  `wal_writer_delay = '10s'`,
  `checkpoint_timeout = '1h'`,
  `deadlock_timeout = '1h'`,
]
const setSession = `set search_path = simulated, public, pg_catalog; set synchronous_commit = on`

/** A connection to PostgreSQL. */
export class Session {
  readonly client: pg.Client
  readonly pid: number
  isInTransaction = false
  /** Whether its commits wait until they are on disk. */
  waitsForDisk = true
  /** The statement that was sent and waits for a lock, or whose result nobody has taken yet. */
  pending: { isDone: boolean; outcome: Promise<Outcome> } | null = null

  constructor(client: pg.Client, pid: number) {
    this.client = client
    this.pid = pid
  }
}

/** A PostgreSQL server that belongs to one process of the simulation. */
export class Postgres {
  readonly #url: string
  #owner: pg.Client
  readonly #free: Session[] = []
  readonly #all = new Set<Session>()
  /** The tables that have no rows at first, separated by commas. */
  readonly #tables: string
  /** By id, the committed changes that `takeChanges` has returned. */
  #taken = new Map<number, Change>()

  private constructor(url: string, owner: pg.Client, tables: string) {
    this.#url = url
    this.#owner = owner
    this.#tables = tables
  }

  /** `url`: a migrated database of a server of its own; both get other settings. */
  static async open(url: string): Promise<Postgres> {
    const owner = await connect(url)
    for (const setting of settings) await owner.query(`alter system set ${setting}`)
    await owner.query('select pg_reload_conf()')
    await owner.query(setUp)
    const { rows } = await owner.query(
      `select table_name, column_name, column_default from information_schema.columns
       where table_schema = 'public' and column_default in ('now()', 'clock_timestamp()')`,
    )
    for (const { table_name, column_name, column_default } of rows)
      await owner.query(
        `alter table ${table_name} alter column ${column_name} set default simulated.${column_default}`,
      )
    const postgres = new Postgres(url, owner, await emptyTables(owner))
    await owner.query(setSession)
    return postgres
  }

  async close(): Promise<void> {
    for (const { client } of this.#all) await client.end()
    await this.#owner.end()
  }

  /** Begins a simulation: the rows of the fixture and no others, and no connection. */
  async reset(now: number): Promise<void> {
    for (const session of this.#all) {
      await this.cancel(session)
      if (session.isInTransaction) await session.client.query('rollback')
      this.release(session)
    }
    await this.#owner.query(
      `select pg_advisory_unlock_all(), set_config('simulated.now', $1, false),
         set_config('simulated.clock', $1, false)`,
      [new Date(now).toISOString()],
    )
    // In one transaction, because dictionaries and versions refer to each other.
    await this.#owner.query(`begin; truncate ${this.#tables}, simulated.changes restart identity cascade`)
    for (const [table, row] of fixture) await this.#insert(table, row)
    // Sequences begin anew after a checkpoint, so that a crash lets the same ids out in each run.
    await this.#owner.query('commit')
    await this.#owner.query('checkpoint')
    this.#taken = new Map()
    await this.takeChanges()
  }

  async #insert(table: string, row: Row): Promise<void> {
    const names = Object.keys(row)
    await this.#owner.query(
      `insert into ${snakeCase(table)} (${names.map(snakeCase).join(', ')}) overriding system value
       values (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }

  /** The committed rows of a table. */
  async rowsOf(table: string): Promise<Row[]> {
    const { rows } = await this.#owner.query(`select * from ${snakeCase(table)} order by 1, 2`)
    return rows.map(camelCased)
  }

  /** The changes that were committed since the last call. */
  async takeChanges(): Promise<Change[]> {
    const changes = await this.#changesExcept([...this.#taken.keys()])
    for (const { id, ...change } of changes) this.#taken.set(id, change)
    return changes
  }

  async #changesExcept(ids: readonly number[]): Promise<RecordedChange[]> {
    const { rows } = await this.#owner.query(
      `select id, "table", before, after from simulated.changes where id <> all ($1) order by id`,
      [ids],
    )
    return rows.map(({ before, after, ...change }) => ({
      ...change,
      before: before === null ? null : camelCased(before),
      after: after === null ? null : camelCased(after),
    }))
  }

  /** A statement of the simulation itself. */
  async run(sql: string): Promise<void> {
    await this.#owner.query(sql)
  }

  async session(): Promise<Session> {
    const free = this.#free.pop()
    if (free !== undefined) return free
    const client = await connect(this.#url)
    await client.query(setSession)
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const session = new Session(client, rows[0].pid)
    this.#all.add(session)
    return session
  }

  release(session: Session): void {
    if (this.#all.has(session) && !this.#free.includes(session)) this.#free.push(session)
  }

  async waitForDisk(session: Session, waitsForDisk: boolean): Promise<void> {
    if (session.waitsForDisk === waitsForDisk) return
    session.waitsForDisk = waitsForDisk
    await session.client.query(`set synchronous_commit = ${waitsForDisk ? 'on' : 'off'}`)
  }

  /** Sends a statement. `settle` returns when it has ended or waits for a lock. */
  async send(
    session: Session,
    sql: string,
    parameters: readonly unknown[],
    now: StatementTime,
  ): Promise<void> {
    const [transaction, clock] = [now.transaction, now.clock].map((time) => new Date(time).toISOString())
    await session.client.query(`set simulated.now = '${transaction}'; set simulated.clock = '${clock}'`)
    const outcome = session.client.query(sql, [...parameters]).then(
      ({ rows, rowCount }) => ({ result: { rows, count: rowCount ?? 0 } }),
      (error: unknown) => ({ error }),
    )
    const pending = { isDone: false, outcome }
    session.pending = pending
    void outcome.then(() => (pending.isDone = true))
  }

  /**
   * Waits until the pending statement of a session has ended, or waits for a lock. Returns the ids of the
   * sessions that have the lock; none if it has ended.
   */
  async settle({ pid, pending }: Session): Promise<number[]> {
    for (let turn = 0; turn < TURNS_BEFORE_LOCKS_ARE_READ; turn++) {
      if (pending === null || pending.isDone) return []
      await new Promise(setImmediate)
    }
    for (;;) {
      const { rows } = await this.#owner.query('select pg_blocking_pids($1) as pids', [pid])
      if (pending?.isDone !== false) return []
      if (rows[0].pids.length > 0) return rows[0].pids
    }
  }

  /** Returns or throws what the pending statement did. It must have ended. */
  async take(session: Session): Promise<Result> {
    const outcome = await session.pending?.outcome
    session.pending = null
    if (outcome === undefined) throw new Error('No statement is pending')
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  /** Ends the pending statement of a session, if there is one. */
  async cancel(session: Session): Promise<void> {
    if (session.pending?.isDone === false)
      await this.#owner.query('select pg_cancel_backend($1)', [session.pid])
    await session.pending?.outcome
    session.pending = null
  }

  /** Gives a process its advisory lock, or takes it away. */
  async lockHolder(holder: number, isHeld: boolean): Promise<void> {
    const lock = isHeld ? 'pg_advisory_lock' : 'pg_advisory_unlock'
    await this.#owner.query(`select ${lock}($1, $2)`, [LEASE_HOLDER_LOCK, holder])
  }

  /** Writes all commits to disk. */
  async flush(): Promise<void> {
    await this.#owner.query(`select pg_logical_emit_message(true, 'simulation', '')`)
  }

  /**
   * Kills the server, which starts again: commits that were not written to disk are lost, and returned. No
   * session may be in use.
   */
  async crash(): Promise<Change[]> {
    const [{ pid } = { pid: 0 }] = (await this.#owner.query('select pg_backend_pid() as pid')).rows
    this.#all.clear()
    this.#free.length = 0
    const hasEnded = new Promise((resolve) => this.#owner.once('end', resolve))
    process.kill(pid, 'SIGKILL')
    await hasEnded
    this.#owner = await connectAgain(this.#url)
    await this.#owner.query(setSession)
    const left = new Set((await this.#changesExcept([])).map(({ id }) => id))
    const lost = [...this.#taken].filter(([id]) => !left.has(id))
    for (const [id] of lost) this.#taken.delete(id)
    return lost.map(([, change]) => change)
  }
}

/** Not those with rows that migrations added. */
async function emptyTables(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query(`select tablename as name from pg_tables where schemaname = 'public'`)
  const empty: string[] = []
  for (const { name } of rows)
    if ((await owner.query(`select from ${name} limit 1`)).rows.length === 0) empty.push(name)
  return empty.join(', ')
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** While the server recovers it refuses connections. */
async function connectAgain(url: string): Promise<pg.Client> {
  for (;;)
    try {
      return await connect(url)
    } catch {
      await new Promise(setImmediate)
    }
}
