import { compileStatement, type Result, type Statement } from '#simulation/database/compile-statement.ts'
import { type Cell, type ModelTransaction, type Row, Table } from '#simulation/database/rows.ts'
import { type TableName, tableShapes } from '#simulation/database/tables.ts'
import { LEASE_HOLDER_LOCK } from '#drivers/leases.ts'

/** Compiled statements by their texts, for all models of this process. */
const statements = new Map<string, Statement>()

/** A row that was committed: null before it was inserted, and after it was deleted. */
export type Change = { table: TableName; before: Row | null; after: Row | null }

export type CellChange = { cell: Cell; before: Row | null; after: Row | null }

/**
 * A database in memory with the features that the services of submissions use: the isolation level read
 * committed, row locks that statements wait for, unique keys, sequences, and the advisory locks of running
 * processes. `model-database.test.ts` runs the same simulations on PostgreSQL and compares every result.
 */
export class ModelDatabase {
  readonly tables: Record<TableName, Table>
  /** Numbers of the advisory locks of running processes. */
  readonly holders = new Set<number>()
  readonly #onChange: (change: Change) => void

  constructor(onChange: (change: Change) => void) {
    this.#onChange = onChange
    const tables = Object.entries(tableShapes).map(([name, shape]) => [name, new Table(name, shape)] as const)
    this.tables = Object.fromEntries(tables) as Record<TableName, Table>
  }

  begin(now: number): ModelTransaction {
    return { startedAt: now, locked: new Set(), written: new Set(), onCommit: [], state: 'open' }
  }

  /**
   * Runs a statement. Throws `Blocked`, with nothing changed, if it has to wait; and errors of PostgreSQL.
   */
  run(sql: string, parameters: readonly unknown[], transaction: ModelTransaction, now: number): Result {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = compileStatement(sql)
      statements.set(sql, statement)
    }
    const undo: (() => void)[] = []
    try {
      return statement({
        parameters,
        transaction,
        now,
        tables: { find: (name) => this.tables[name as TableName], rows: (name) => this.#rows(name) },
        slots: [],
        cells: [],
        parts: [],
        constants: [],
        group: [],
        undo,
      })
    } catch (error) {
      for (const step of undo.reverse()) step()
      throw error
    }
  }

  /** Committed rows, and those of the system's tables. */
  #rows(name: string): Row[] | undefined {
    if (name === 'pgDatabase') return [{ oid: 1, datname: 'simulated' }]
    if (name === 'pgLocks')
      return [...this.holders].map((holder) => ({
        locktype: 'advisory',
        classid: LEASE_HOLDER_LOCK,
        objid: holder,
        database: 1,
      }))
    return this.tables[name as TableName]?.committedRows()
  }

  commit(transaction: ModelTransaction): void {
    for (const cell of transaction.written) {
      const { committed: before, pending: after } = cell
      cell.committed = after
      cell.writer = null
      cell.pending = null
      this.#onChange({ table: cell.table.name as TableName, before, after })
    }
    this.#end(transaction)
    for (const effect of transaction.onCommit) effect()
  }

  /** What a commit will change. */
  changesOf(transaction: ModelTransaction): CellChange[] {
    return [...transaction.written].map((cell) => ({ cell, before: cell.committed, after: cell.pending }))
  }

  /** Undoes a commit. No other transaction may be open. */
  lose({ cell, before }: CellChange): void {
    cell.committed = before
    if (before === null) cell.table.cells.delete(cell.key)
    else cell.table.cells.set(cell.key, cell)
  }

  rollback(transaction: ModelTransaction): void {
    for (const cell of transaction.written) {
      cell.writer = null
      cell.pending = null
    }
    this.#end(transaction)
  }

  #end(transaction: ModelTransaction): void {
    transaction.state = 'ended'
    for (const cell of transaction.written) if (cell.committed === null) cell.table.cells.delete(cell.key)
    for (const cell of transaction.locked) cell.lockers.delete(transaction)
  }
}
