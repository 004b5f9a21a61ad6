/** A row as the services see it, by camelCase names. */
export type Row = Record<string, unknown>

/** One row: its committed version, and the version of the transaction that is changing it. */
export type Cell = {
  readonly table: Table
  readonly key: string
  committed: Row | null
  /** The version of `writer`; null if it deleted the row, and also while there is no writer. */
  pending: Row | null
  writer: ModelTransaction | null
  /** Locks of FOR SHARE and FOR UPDATE. A change locks as FOR UPDATE does; FOR KEY SHARE is not modelled. */
  readonly lockers: Map<ModelTransaction, LockMode>
}
/** For traces and messages: the table and the key. */
export const cellName = ({ table, key }: Cell): string => `${table.name} ${key}`

export type LockMode = 'share' | 'exclusive'

export type ModelTransaction = {
  /** What now() returns. */
  readonly startedAt: number
  readonly locked: Set<Cell>
  readonly written: Set<Cell>
  /** Called at its commit: effects that are not in a table, such as jobs. */
  readonly onCommit: (() => void)[]
  state: 'open' | 'failed' | 'ended'
}

/**
 * Thrown by a statement that has to wait for the end of another transaction, and is then run again.
 * `isForKey`: an INSERT, which waits for the key and not for a lock on the row.
 */
export class Blocked extends Error {
  readonly cell: Cell
  readonly mode: LockMode
  readonly transaction: ModelTransaction
  readonly isForKey: boolean
  constructor(cell: Cell, mode: LockMode, transaction: ModelTransaction, isForKey = false) {
    super(`blocked by a lock on ${cell.table.name} ${cell.key}`)
    this.cell = cell
    this.mode = mode
    this.transaction = transaction
    this.isForKey = isForKey
  }
}

/** An error of PostgreSQL with its SQLSTATE. */
export const databaseError = (code: string, message: string, constraint?: string): Error =>
  Object.assign(new Error(message), { code, ...(constraint === undefined ? {} : { constraint }) })

export type TableShape = {
  columns: readonly string[]
  /** Whether `id` comes from a sequence, which a rollback does not set back. */
  hasId?: boolean
  /** The columns of its unique index, whose values are the key of a row. By default the id. */
  unique?: readonly string[]
  /** Columns of JSON: statements give text, rows have the parsed value. */
  json?: readonly string[]
  defaults?: Readonly<Record<string, unknown>>
}
/** Values for `defaults`: the time when the transaction began, and the time when the row is written. */
export const NOW = Symbol('now()')
export const CLOCK = Symbol('clock_timestamp()')

export class Table {
  readonly name: string
  readonly shape: TableShape
  readonly cells = new Map<string, Cell>()
  readonly #json: ReadonlySet<string>
  #lastId = 0

  constructor(name: string, shape: TableShape) {
    this.name = name
    this.shape = shape
    this.#json = new Set(shape.json)
  }

  /** The row that a transaction sees: its own version, else the committed one. */
  static visible(cell: Cell, transaction: ModelTransaction): Row | null {
    return cell.writer === transaction ? cell.pending : cell.committed
  }

  rowOf(given: Row, { startedAt }: ModelTransaction, clock: number): Row {
    const { columns, hasId = false, defaults = {} } = this.shape
    const row: Row = {}
    for (const column of columns) {
      const value = given[column]
      if (value !== undefined) row[column] = this.stored(column, value)
      else {
        const byDefault = defaults[column]
        if (byDefault === NOW || byDefault === CLOCK)
          row[column] = new Date(byDefault === NOW ? startedAt : clock)
        else row[column] = byDefault ?? null
      }
    }
    if (hasId && given.id === undefined) row.id = ++this.#lastId
    return row
  }

  stored(column: string, value: unknown): unknown {
    return typeof value === 'string' && this.#json.has(column) ? JSON.parse(value) : value
  }

  keyOf(row: Row): string {
    const { unique } = this.shape
    if (unique === undefined) return String(row.id)
    return unique.length === 1 ? String(row[unique[0] as string]) : unique.map((name) => row[name]).join(' ')
  }

  /** The cell of this key, created if no row has or had the key. */
  cellFor(key: string): Cell {
    const found = this.cells.get(key)
    if (found !== undefined) return found
    const cell: Cell = {
      table: this,
      key,
      committed: null,
      pending: null,
      writer: null,
      lockers: new Map(),
    }
    this.cells.set(key, cell)
    return cell
  }

  /** Adds a committed row, for the fixture. */
  put(given: Row, transaction: ModelTransaction): void {
    const row = this.rowOf(given, transaction, transaction.startedAt)
    if (typeof row.id === 'number') this.#lastId = Math.max(this.#lastId, row.id)
    this.cellFor(this.keyOf(row)).committed = row
  }

  committedRows(): Row[] {
    const rows: Row[] = []
    for (const { committed } of this.cells.values()) if (committed !== null) rows.push(committed)
    return rows
  }
}

/** Locks a row. Throws `Blocked` while another transaction has a lock that conflicts. */
export function lock(cell: Cell, mode: LockMode, transaction: ModelTransaction): void {
  const own = cell.lockers.get(transaction)
  if (own === 'exclusive' || own === mode) return
  if (isLockedByOther(cell, mode, transaction)) throw new Blocked(cell, mode, transaction)
  cell.lockers.set(transaction, mode)
  transaction.locked.add(cell)
}

/**
 * Ends the wait for a lock, before the statement is run again; false while it has to go on. As in PostgreSQL,
 * the row is locked from then on, also where the statement no longer finds it, because it was changed.
 */
export function endWait({ cell, mode, transaction, isForKey }: Blocked): boolean {
  if (isLockedByOther(cell, mode, transaction)) return false
  if (!isForKey && cell.committed !== null && transaction.state === 'open') lock(cell, mode, transaction)
  return true
}

export function isLockedByOther(cell: Cell, mode: LockMode, transaction: ModelTransaction): boolean {
  for (const [other, held] of cell.lockers)
    if (other !== transaction && (mode === 'exclusive' || held === 'exclusive')) return true
  return false
}

/** Writes a version that only `transaction` sees until it commits. The cell must be locked. */
export function write(cell: Cell, row: Row | null, transaction: ModelTransaction): void {
  cell.pending = row
  cell.writer = transaction
  transaction.written.add(cell)
}
