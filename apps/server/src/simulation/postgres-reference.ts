import { isDeepStrictEqual } from 'node:util'
import { Role } from '@veridict/contract/model/role'
import pg from 'pg'
import { LEASE_HOLDER_LOCK } from '#drivers/leases.ts'
import type { ModelDatabase } from '#simulation/database/model-database.ts'
import type { Row } from '#simulation/database/rows.ts'
import { type TableName, tableShapes } from '#simulation/database/tables.ts'
import { fixture } from '#simulation/fixture.ts'
import type { Connection } from '#simulation/process.ts'
import type { Outcome, Reference, SentStatement, StatementTime } from '#simulation/reference.ts'

const INT8 = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

/** Values for columns that the model does not have and that must not be null. */
const requiredValues: Partial<Record<TableName, Row>> = {
  users: { role: Role.CompanyUser, phone: '1', passwordHash: null },
  dictionaryVersions: { changedAt: new Date(0), change: '{"kind":"created"}' },
}

/** Functions before those of PostgreSQL in the search path: they replace the clock of the database. */
const virtualClock = `
  create schema if not exists simulated;
  create or replace function simulated.now() returns timestamptz language sql stable
    as $$ select current_setting('simulated.now')::timestamptz $$;
  create or replace function simulated.clock_timestamp() returns timestamptz language sql volatile
    as $$ select current_setting('simulated.clock')::timestamptz $$;`

type Session = {
  client: pg.Client
  pid: number
  isInTransaction: boolean
  /** The statement that waits for a lock. */
  waiting: Waiting | null
}
type Waiting = { outcome: Promise<Outcome>; isOver: boolean; row: string }

/** Runs every statement of a simulation also on PostgreSQL, and collects what differs. */
export class PostgresReference implements Reference {
  readonly differences: string[] = []
  statementCount = 0
  waitCount = 0
  readonly #url: string
  readonly #owner: pg.Client
  readonly #sessions = new Map<Connection, Promise<Session>>()
  readonly #free: Session[] = []
  /** All statements so far, in the order of the simulation. */
  #queue: Promise<void> = Promise.resolve()

  private constructor(url: string, owner: pg.Client) {
    this.#url = url
    this.#owner = owner
  }

  /** `url`: a migrated database of its own, whose tables get other defaults. */
  static async open(url: string): Promise<PostgresReference> {
    const owner = new pg.Client({ connectionString: url, types })
    await owner.connect()
    await owner.query(virtualClock)
    const { rows } = await owner.query(
      `select table_name, column_name, column_default from information_schema.columns
       where table_schema = 'public' and column_default in ('now()', 'clock_timestamp()')`,
    )
    for (const { table_name, column_name, column_default } of rows)
      await owner.query(
        `alter table ${table_name} alter column ${column_name} set default simulated.${column_default}`,
      )
    // Its triggers forbid TRUNCATE, which begins each simulation.
    await owner.query(`alter table audit_entries disable trigger user`)
    await owner.query(`set search_path = simulated, public, pg_catalog`)
    return new PostgresReference(url, owner)
  }

  /** Begins a simulation: the rows of the fixture and no others. */
  async begin(now: number): Promise<void> {
    for (const session of await Promise.all(this.#sessions.values())) await session.client.end()
    this.#sessions.clear()
    await this.#owner.query(`select pg_advisory_unlock_all()`)
    await this.#owner.query(`select set_config('simulated.now', $1, false)`, [new Date(now).toISOString()])
    // In one transaction, because dictionaries and versions refer to each other.
    await this.#owner.query('begin')
    const tables = Object.keys(tableShapes).map(snakeCase).join(', ')
    await this.#owner.query(`truncate ${tables}, company_tokens restart identity cascade`)
    for (const [table, row] of fixture) await this.#put(table, { ...row, ...requiredValues[table] })
    await this.#owner.query(
      `insert into company_tokens (id, company_id, name, token_hash, expires_at) overriding system value
       values (1, 1, 'one', 'one', now()), (2, 2, 'two', 'two', now())`,
    )
    await this.#owner.query('commit')
  }

  async #put(table: string, row: Row): Promise<void> {
    const names = Object.keys(row)
    await this.#owner.query(
      `insert into ${snakeCase(table)} (${names.map(snakeCase).join(', ')}) overriding system value
       values (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }

  async #connect(): Promise<Session> {
    const free = this.#free.pop()
    if (free !== undefined) return free
    const client = new pg.Client({ connectionString: this.#url, types })
    client.on('error', () => {})
    await client.connect()
    // The timeout makes a statement that waits only in PostgreSQL a difference, instead of a run without end.
    await client.query(`set search_path = simulated, public, pg_catalog; set statement_timeout = '10s'`)
    const { rows } = await client.query(`select pg_backend_pid() as pid`)
    return { client, pid: rows[0].pid, isInTransaction: false, waiting: null }
  }

  #sessionOf(connection: Connection): Promise<Session> {
    const session = this.#sessions.get(connection) ?? this.#connect()
    this.#sessions.set(connection, session)
    return session
  }

  /** Does `work` after everything that was added before. */
  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work)
  }

  /** Resolves when PostgreSQL has run all statements, or waits for the locks that the model waits for. */
  whenIdle(): Promise<void> {
    return this.#queue
  }

  onResult(sent: SentStatement, now: StatementTime, outcome: Outcome): void {
    // A copy, because the services change the rows they get.
    const expected = structuredClone('result' in outcome ? outcome.result : null)
    this.#enqueue(async () => {
      this.statementCount++
      const session = await this.#sessionOf(sent.connection)
      const actual = await (session.waiting?.outcome ?? this.#send(session, sent, now))
      session.waiting = null
      this.#compare(sent, expected === null ? outcome : { result: expected }, actual)
      if (!sent.isInTransaction) this.#release(sent.connection, session)
    })
  }

  /**
   * A second statement that waits for the same row is sent only when the model runs it: PostgreSQL gives a
   * row that was changed to any of those that wait.
   */
  onWait(sent: SentStatement, now: StatementTime, row: string): void {
    this.#enqueue(async () => {
      const sessions = await Promise.all(this.#sessions.values())
      const session = await this.#sessionOf(sent.connection)
      if (sessions.some((other) => other !== session && other.waiting?.row === row)) return
      this.waitCount++
      session.waiting ??= waitingFor(this.#send(session, sent, now))
      session.waiting.row = row
      if (!(await this.#isWaiting(session))) this.differences.push(`PostgreSQL does not wait: ${sent.sql}`)
    })
  }

  async #isWaiting({ pid, waiting }: Session): Promise<boolean> {
    const isBlocked = `select from pg_locks where pid = $1 and not granted`
    while (waiting?.isOver === false)
      if ((await this.#owner.query(isBlocked, [pid])).rows.length > 0) return true
    return false
  }

  /** Waits until the statement has its row: otherwise the next statement could get the row first. */
  onGrant(connection: Connection): void {
    this.#enqueue(async () => {
      const { waiting } = await this.#sessionOf(connection)
      // Limited, because the statement may wait for one more row.
      for (let time = 0; time < 400 && waiting?.isOver === false; time++) await this.#owner.query('select')
    })
  }

  async #send(
    session: Session,
    { sql, parameters, isInTransaction }: SentStatement,
    now: StatementTime,
  ): Promise<Outcome> {
    const { client } = session
    if (isInTransaction && !session.isInTransaction) {
      session.isInTransaction = true
      await client.query('begin')
    }
    const [transaction, clock] = [now.transaction, now.clock].map((time) => new Date(time).toISOString())
    await client.query(`set simulated.now = '${transaction}'; set simulated.clock = '${clock}'`)
    try {
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { result: { rows: rows.map(camelCased), count: rowCount ?? 0 } }
    } catch (error) {
      return { error }
    }
  }

  #compare({ sql, parameters }: SentStatement, expected: Outcome, actual: Outcome): void {
    const [wanted, got] = [expected, actual].map((outcome) =>
      'result' in outcome ? comparable(outcome.result) : { error: (outcome.error as { code?: string }).code },
    )
    if (isDeepStrictEqual(wanted, got)) return
    const details = [
      sql.trim(),
      JSON.stringify(parameters),
      `the model:  ${JSON.stringify(wanted)}`,
      `PostgreSQL: ${JSON.stringify(got)} ${'error' in actual ? String(actual.error) : ''}`,
    ]
    this.differences.push(details.join('\n  '))
  }

  onCancel(connection: Connection): void {
    this.#enqueue(async () => {
      const session = await this.#sessionOf(connection)
      if (session.waiting === null) return
      await this.#cancel(session)
      if (!session.isInTransaction) this.#release(connection, session)
    })
  }

  async #cancel(session: Session): Promise<void> {
    if (session.waiting?.isOver === false)
      await this.#owner.query(`select pg_cancel_backend($1)`, [session.pid])
    await session.waiting?.outcome
    session.waiting = null
  }

  onCommit(connection: Connection): void {
    this.#end(connection, 'commit')
  }
  onRollback(connection: Connection): void {
    this.#end(connection, 'rollback')
  }
  #end(connection: Connection, how: 'commit' | 'rollback'): void {
    this.#enqueue(async () => {
      const session = await this.#sessionOf(connection)
      // If the process died just after its wait had ended, the statement may still be waiting here.
      if (session.waiting !== null) await this.#cancel(session)
      if (session.isInTransaction) await session.client.query(how)
      session.isInTransaction = false
      this.#release(connection, session)
    })
  }

  #release(connection: Connection, session: Session): void {
    this.#sessions.delete(connection)
    this.#free.push(session)
  }

  onHolderLock(holder: number, isHeld: boolean): void {
    const lock = isHeld ? 'pg_advisory_lock' : 'pg_advisory_unlock'
    this.#enqueue(
      async () => void (await this.#owner.query(`select ${lock}($1, $2)`, [LEASE_HOLDER_LOCK, holder])),
    )
  }

  /** Compares all rows of all tables. */
  async compareTables({ tables }: ModelDatabase): Promise<void> {
    await this.whenIdle()
    for (const [name, table] of Object.entries(tables)) {
      const columns = table.shape.columns.map(snakeCase).join(', ')
      const { rows } = await this.#owner.query(`select ${columns} from ${snakeCase(name)}`)
      const [wanted, found] = [table.committedRows(), rows.map(camelCased)].map((all) =>
        all.map((row) => sortedJson(row)).sort(),
      )
      const [inModel = [], inPostgres = []] = [wanted, found]
      for (const row of inModel.filter((text) => !inPostgres.includes(text)))
        this.differences.push(`the model's ${name} has ${row}`)
      for (const row of inPostgres.filter((text) => !inModel.includes(text)))
        this.differences.push(`PostgreSQL's ${name} has ${row}`)
    }
  }

  async close(): Promise<void> {
    for (const session of [...this.#free, ...(await Promise.all(this.#sessions.values()))])
      await session.client.end()
    await this.#owner.end()
  }
}

function waitingFor(outcome: Promise<Outcome>): Waiting {
  const waiting = { outcome, isOver: false, row: '' }
  void outcome.then(() => (waiting.isOver = true))
  return waiting
}

const camelCased = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value]))

/** With sorted members, because PostgreSQL changes the order of the members of JSON. */
const sortedJson = (row: Row): string =>
  JSON.stringify(row, (_name, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  )

/** What is compared: rows without the order of their columns; the count only if a statement returns none. */
const comparable = ({ rows, count }: { rows: Row[]; count: number }) =>
  rows.length > 0 ? rows.map(comparableRow) : { count }
const comparableRow = (row: Row): [string, unknown][] =>
  Object.entries(row)
    .map(([name, value]): [string, unknown] => [name, value instanceof Date ? value.getTime() : value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
