import { ClauseReader, columnsOf, type Locking, type Order } from '#simulation/database/clause-reader.ts'
import type { Context, Expression, Scope } from '#simulation/database/expression.ts'
import {
  type Assignment,
  type Column,
  type Join,
  namesOf,
  orderOf,
  rowOf,
  tableOf,
  visitMatches,
  withAssignments,
  writeCell,
} from '#simulation/database/row-operations.ts'
import {
  Blocked,
  type Cell,
  databaseError,
  isLockedByOther,
  lock,
  type Row,
  Table,
} from '#simulation/database/rows.ts'
import { Reader } from '#simulation/database/tokens.ts'

/** What a statement returns, as node-postgres does. */
export type Result = { rows: Row[]; count: number }
export type Statement = (context: Context) => Result

/**
 * Compiles a statement of the services: the part of SQL that they use. Anything else throws, with the text of
 * the statement, so that a change of a query is noticed here and never runs as something else.
 */
export function compileStatement(sql: string): Statement {
  const reader = new Reader(sql)
  const statement = new Compiler(reader).statement(null)
  if (reader.token.kind !== 'end') reader.fail('expected the end')
  return statement.run
}

type Compiled = { run: Statement; columns: string[] }

class Compiler {
  readonly #reader: Reader
  readonly #clauses: ClauseReader
  #constantCount = 0

  constructor(reader: Reader) {
    this.#reader = reader
    this.#clauses = new ClauseReader(reader, { select: (outer) => this.#subquery(outer) })
  }

  /** A subquery that uses no row of the statement around it runs once for each run of the statement. */
  #subquery(outer: Scope): (context: Context) => Row[] {
    const { run, isCorrelated } = this.#select(outer)
    if (isCorrelated) return (context) => run(context).rows
    const number = this.#constantCount++
    return (context) => (context.constants[number] ??= run(context).rows)
  }

  statement(outer: Scope | null): Compiled {
    const reader = this.#reader
    if (reader.takes('with')) {
      const parts = reader.list(() => {
        const name = reader.name()
        reader.expect('as')
        if (!reader.takes('not', 'materialized')) reader.takes('materialized')
        reader.expect('(')
        const { run, columns } = this.statement(outer)
        reader.expect(')')
        const number = this.#clauses.withParts.size
        this.#clauses.withParts.set(name, { number, columns })
        return { number, run }
      })
      const main = this.statement(outer)
      return {
        columns: main.columns,
        run: (c) => {
          for (const { number, run } of parts) c.parts[number] = run(c).rows
          return main.run(c)
        },
      }
    }
    if (reader.isNext('select')) return this.#select(outer)
    if (reader.takes('insert', 'into')) return this.#insert(outer)
    if (reader.takes('update')) return this.#update(outer)
    if (reader.takes('delete', 'from')) return this.#delete(outer)
    return reader.fail('expected WITH, SELECT, INSERT, UPDATE or DELETE')
  }

  #select(outer: Scope | null): Compiled & { isCorrelated: boolean } {
    const reader = this.#reader
    reader.expect('select')
    const scope: Scope = { items: [], outer, hasAggregate: false }
    // FROM is read before the columns, because it says what their names mean.
    const columnsPlace = reader.place
    reader.skipToFrom()
    const joins = reader.takes('from') ? this.#clauses.from(scope) : []
    const placeAfterFrom = reader.place
    reader.place = columnsPlace
    const columns = reader.isNext('from') ? [] : this.#clauses.columns(scope)
    reader.place = joins.length === 0 ? reader.place : placeAfterFrom
    const where = this.#clauses.where(scope)
    const orders = reader.takes('order', 'by') ? reader.list(() => this.#clauses.order(scope)) : []
    const limit = reader.takes('limit') ? this.#clauses.expression(scope) : null
    const locking = this.#clauses.locking(scope)
    const selection = { joins, where, columns, orders, limit, locking }
    const run: Statement = scope.hasAggregate
      ? (c) => runAggregate(c, selection)
      : (c) => runSelection(c, selection)
    return { run, columns: namesOf(columns, scope), isCorrelated: scope.isCorrelated ?? false }
  }

  #insert(outer: Scope | null): Compiled {
    const reader = this.#reader
    const name = reader.name()
    reader.expect('(')
    const names = reader.list(() => reader.name())
    reader.expect(')')
    const newRows = this.#newRows(outer)
    const scope: Scope = { items: [], outer: null, hasAggregate: false }
    const slot = this.#clauses.nextSlot()
    scope.items.push({ alias: name, slot, columns: columnsOf[name] ?? [] })
    const excluded = this.#clauses.nextSlot()
    scope.items.push({ alias: 'excluded', slot: excluded, columns: [] })
    const conflict = this.#clauses.conflict(scope)
    const returning = this.#clauses.returning(scope)
    const insertion = { name, names, slot, excluded, conflict, returning }
    const run: Statement = (c) => runInsertion(c, insertion, newRows(c))
    return { run, columns: namesOf(returning ?? [], scope) }
  }

  /** The values of the rows to insert: those of VALUES, or the result of SELECT. */
  #newRows(outer: Scope | null): (c: Context) => unknown[][] {
    const reader = this.#reader
    if (!reader.takes('values')) {
      const { run } = this.#select(outer)
      return (c) => run(c).rows.map((row) => Object.values(row))
    }
    const rows = reader.list(() => {
      reader.expect('(')
      const values = reader.list(() => this.#clauses.expression({ items: [], outer, hasAggregate: false }))
      reader.expect(')')
      return values
    })
    return (c) => rows.map((values) => values.map((value) => value(c)))
  }

  #update(outer: Scope | null): Compiled {
    const reader = this.#reader
    const scope: Scope = { items: [], outer, hasAggregate: false }
    const target = this.#clauses.source(scope)
    scope.items.push(target)
    reader.expect('set')
    const assignments = this.#clauses.assignments(scope)
    const others = reader.takes('from') ? this.#clauses.from(scope) : []
    const where = this.#clauses.where(scope)
    const returning = this.#clauses.returning(scope)
    const joins: Join[] = [{ source: target, isLeft: false, on: () => true }, ...others]
    const run: Statement = (c) => {
      const matches: { cell: Cell; slots: Context['slots'] }[] = []
      visitMatches(c, joins, where, () =>
        matches.push({ cell: c.cells[target.slot] as Cell, slots: c.slots.slice() }),
      )
      const rows: Row[] = []
      for (const { cell } of matches) lock(cell, 'exclusive', c.transaction)
      for (const { cell, slots } of matches) {
        c.slots = slots
        const before = Table.visible(cell, c.transaction) as Row
        const next = withAssignments(c, cell.table, before, target.slot, assignments)
        writeCell(c, cell, next)
        c.slots[target.slot] = next
        if (returning !== null) rows.push(rowOf(c, returning))
      }
      return { rows, count: matches.length }
    }
    return { run, columns: namesOf(returning ?? [], scope) }
  }

  #delete(outer: Scope | null): Compiled {
    const scope: Scope = { items: [], outer, hasAggregate: false }
    const target = this.#clauses.source(scope)
    scope.items.push(target)
    const where = this.#clauses.where(scope)
    const run: Statement = (c) => {
      const cells: Cell[] = []
      visitMatches(c, [{ source: target, isLeft: false, on: () => true }], where, () =>
        cells.push(c.cells[target.slot] as Cell),
      )
      for (const cell of cells) lock(cell, 'exclusive', c.transaction)
      for (const cell of cells) writeCell(c, cell, null)
      return { rows: [], count: cells.length }
    }
    return { run, columns: [] }
  }
}

type Selection = {
  joins: readonly Join[]
  where: Expression
  columns: readonly Column[]
  orders: readonly Order[]
  limit: Expression | null
  locking: Locking | null
}

/** SELECT with an aggregate, such as count(*): one row, calculated from all that match. */
function runAggregate(c: Context, { joins, where, columns }: Selection): Result {
  const group: Context['group'] = []
  visitMatches(c, joins, where, () => void group.push(c.slots.slice()))
  const groupBefore = c.group
  c.group = group
  const row = rowOf(c, columns)
  c.group = groupBefore
  return { rows: [row], count: 1 }
}

function runSelection(c: Context, { joins, where, columns, orders, limit, locking }: Selection): Result {
  const matches: { row: Row; keys: unknown[]; cell: Cell | undefined }[] = []
  visitMatches(c, joins, where, () =>
    matches.push({
      row: rowOf(c, columns),
      keys: orders.map(({ value }) => value(c)),
      cell: locking === null ? undefined : c.cells[locking.slot],
    }),
  )
  if (orders.length > 0 && matches.length > 1) matches.sort((a, b) => orderOf(a.keys, b.keys, orders))
  const maxRows = limit === null ? matches.length : Number(limit(c))
  const rows: Row[] = []
  for (const { row, cell } of matches) {
    if (rows.length >= maxRows) break
    if (locking !== null && cell !== undefined) {
      if (locking.isSkipping && isLockedByOther(cell, locking.mode, c.transaction)) continue
      lock(cell, locking.mode, c.transaction)
    }
    rows.push(row)
  }
  return { rows, count: rows.length }
}

type Insertion = {
  /** The table. */
  name: string
  /** The columns whose values the statement gives. */
  names: readonly string[]
  /** Where the expressions of ON CONFLICT and RETURNING find the row of the table, and the new row. */
  slot: number
  excluded: number
  conflict: Assignment[] | 'nothing' | null
  returning: readonly Column[] | null
}

function runInsertion(
  c: Context,
  { name, names, slot, excluded, conflict, returning }: Insertion,
  newRows: readonly unknown[][],
): Result {
  const table = tableOf(c, name)
  const rows: Row[] = []
  let count = 0
  for (const values of newRows) {
    const row = table.rowOf(
      Object.fromEntries(names.map((column, index) => [column, values[index] ?? undefined])),
      c.transaction,
      c.now,
    )
    const cell = table.cellFor(table.keyOf(row))
    if (isLockedByOther(cell, 'exclusive', c.transaction))
      throw new Blocked(cell, 'exclusive', c.transaction, true)
    const existing = Table.visible(cell, c.transaction)
    c.slots[excluded] = row
    if (existing !== null && conflict === null)
      throw databaseError('23505', `duplicate key in ${name}: ${cell.key}`)
    if (existing !== null && conflict === 'nothing') continue
    const next = existing === null ? row : withAssignments(c, table, existing, slot, conflict as Assignment[])
    lock(cell, 'exclusive', c.transaction)
    writeCell(c, cell, next)
    count++
    c.slots[slot] = next
    if (returning !== null) rows.push(rowOf(c, returning))
  }
  return { rows, count }
}
