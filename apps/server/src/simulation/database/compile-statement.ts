import type { Context, Expression, Item, Scope, Subqueries } from '#simulation/database/expression.ts'
import { readExpression } from '#simulation/database/read-expression.ts'
import {
  type Assignment,
  type Column,
  eachOf,
  type Join,
  namesOf,
  orderOf,
  rowOf,
  type Source,
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
  type LockMode,
  type Row,
  Table,
} from '#simulation/database/rows.ts'
import { tableShapes } from '#simulation/database/tables.ts'
import { Reader } from '#simulation/database/tokens.ts'

/** What a statement returns, as node-postgres does. */
export type Result = { rows: Row[]; count: number }
export type Statement = (context: Context) => Result

const columnsOf: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.entries(tableShapes).map(([name, { columns }]) => [name, columns])),
  pgLocks: ['locktype', 'classid', 'objid', 'database'],
  pgDatabase: ['oid', 'datname'],
}

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
  #slots = 0
  #constants = 0
  /** The parts of WITH by name. */
  readonly #parts = new Map<string, { number: number; columns: string[] }>()
  readonly #queries: Subqueries = {
    select: (outer) => {
      const { run, isCorrelated } = this.#select(outer)
      if (isCorrelated) return (context) => run(context).rows
      const number = this.#constants++
      return (context) => (context.constants[number] ??= run(context).rows)
    },
  }

  constructor(reader: Reader) {
    this.#reader = reader
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
        const number = this.#parts.size
        this.#parts.set(name, { number, columns })
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
    return reader.fail('the kind of statement')
  }

  #expression(scope: Scope): Expression {
    return readExpression(this.#reader, scope, this.#queries)
  }

  /** A table, a part of WITH, or a function of rows; with its alias. */
  #source(scope: Scope): Source {
    const reader = this.#reader
    const name = reader.name()
    const slot = this.#slots++
    if (reader.takes('(')) return this.#function(name, slot, scope)
    const part = this.#parts.get(name)
    const columns = part?.columns ?? columnsOf[name]
    if (columns === undefined) return reader.fail(`the table ${name}`)
    const alias = reader.takes('as') ? reader.name() : name
    if (part !== undefined)
      return {
        alias,
        slot,
        columns,
        each: (c, visit) => {
          for (const row of c.parts[part.number] ?? []) {
            c.slots[slot] = row
            visit()
          }
        },
      }
    return { alias, slot, columns, each: eachOf(name, slot) }
  }

  /** `unnest(…)` and `jsonb_array_elements(…)`, `with ordinality` or without. */
  #function(name: string, slot: number, scope: Scope): Source {
    const reader = this.#reader
    if (name !== 'unnest' && name !== 'jsonbArrayElements') return reader.fail(`the function ${name}`)
    const values = this.#expression(scope)
    reader.expect(')')
    const isNumbered = reader.takes('with', 'ordinality')
    reader.expect('as')
    const alias = reader.name()
    reader.expect('(')
    const columns = reader.list(() => reader.name())
    reader.expect(')')
    return {
      alias,
      slot,
      columns,
      each: (c, visit) => {
        for (const [index, value] of ((values(c) ?? []) as unknown[]).entries()) {
          c.slots[slot] = { [columns[0] as string]: value }
          if (isNumbered) (c.slots[slot] as Row)[columns[1] as string] = index + 1
          visit()
        }
      },
    }
  }

  /** The items of FROM with their joins. Adds them to the scope. */
  #from(scope: Scope): Join[] {
    const reader = this.#reader
    const joins: Join[] = []
    const add = (isLeft: boolean, hasCondition: boolean) => {
      const source = this.#source(scope)
      scope.items.push(source)
      if (hasCondition) reader.expect('on')
      joins.push({ source, isLeft, on: hasCondition ? this.#expression(scope) : () => true })
    }
    add(false, false)
    for (;;) {
      if (reader.takes('inner', 'join') || reader.takes('join')) add(false, true)
      else if (reader.takes('left', 'join')) add(true, true)
      else if (reader.takes('cross', 'join')) add(false, false)
      else return joins
    }
  }

  #where(scope: Scope): Expression {
    return this.#reader.takes('where') ? this.#expression(scope) : () => true
  }

  /** The columns after SELECT or RETURNING. */
  #columns(scope: Scope): Column[] {
    const reader = this.#reader
    return reader.list((): Column => {
      if (reader.takes('*')) return { allOf: (scope.items[0] as Item).slot }
      const all = scope.items.find(({ alias }) => reader.isNextAllOf(alias))
      if (all !== undefined) {
        reader.place += 3
        return { allOf: all.slot }
      }
      const start = reader.place
      const value = this.#expression(scope)
      const plain = reader.plainNameFrom(start)
      return { name: reader.takes('as') ? reader.name() : (plain ?? `column at ${start}`), value }
    })
  }

  #select(outer: Scope | null): Compiled & { isCorrelated: boolean } {
    const reader = this.#reader
    reader.expect('select')
    const scope: Scope = { items: [], outer, hasAggregate: false }
    // The columns come before FROM, which says what their names mean.
    const columnsAt = reader.place
    reader.skipToFrom()
    const joins = reader.takes('from') ? this.#from(scope) : []
    const after = reader.place
    reader.place = columnsAt
    const columns = reader.isNext('from') ? [] : this.#columns(scope)
    reader.place = joins.length === 0 ? reader.place : after
    const where = this.#where(scope)
    const orders = reader.takes('order', 'by') ? reader.list(() => this.#order(scope)) : []
    const limit = reader.takes('limit') ? this.#expression(scope) : null
    const locking = this.#locking(scope)
    const { hasAggregate } = scope
    const run: Statement = (c) => {
      if (hasAggregate) {
        const group: Context['group'] = []
        visitMatches(c, joins, where, () => void group.push(c.slots.slice()))
        const before = c.group
        c.group = group
        const row = rowOf(c, columns)
        c.group = before
        return { rows: [row], count: 1 }
      }
      const found: { row: Row; keys: unknown[]; cell: Cell | undefined }[] = []
      visitMatches(c, joins, where, () =>
        found.push({
          row: rowOf(c, columns),
          keys: orders.map(({ value }) => value(c)),
          cell: locking === null ? undefined : c.cells[locking.slot],
        }),
      )
      if (orders.length > 0 && found.length > 1) found.sort((a, b) => orderOf(a.keys, b.keys, orders))
      const most = limit === null ? found.length : Number(limit(c))
      const rows: Row[] = []
      for (const { row, cell } of found) {
        if (rows.length >= most) break
        if (locking !== null && cell !== undefined) {
          if (locking.isSkipping && isLockedByOther(cell, locking.mode, c.transaction)) continue
          lock(cell, locking.mode, c.transaction)
        }
        rows.push(row)
      }
      return { rows, count: rows.length }
    }
    return { run, columns: namesOf(columns, scope), isCorrelated: scope.isCorrelated ?? false }
  }

  #order(scope: Scope): { value: Expression; sign: 1 | -1 } {
    const value = this.#expression(scope)
    const isDescending = this.#reader.takes('desc')
    if (!isDescending) this.#reader.takes('asc')
    return { value, sign: isDescending ? -1 : 1 }
  }

  #locking(scope: Scope): { mode: LockMode; slot: number; isSkipping: boolean } | null {
    const reader = this.#reader
    if (!reader.takes('for')) return null
    const mode: LockMode = reader.takes('share') ? 'share' : 'exclusive'
    if (mode === 'exclusive') reader.expect('update')
    const name = reader.takes('of') ? reader.name() : scope.items[0]?.alias
    const item = scope.items.find(({ alias }) => alias === name)
    if (item === undefined) return reader.fail('the table to lock')
    return { mode, slot: item.slot, isSkipping: reader.takes('skip', 'locked') }
  }

  #returning(scope: Scope): Column[] | null {
    return this.#reader.takes('returning') ? this.#columns(scope) : null
  }

  #insert(outer: Scope | null): Compiled {
    const reader = this.#reader
    const name = reader.name()
    reader.expect('(')
    const names = reader.list(() => reader.name())
    reader.expect(')')
    let given: (c: Context) => unknown[][]
    if (reader.takes('values')) {
      const rows = reader.list(() => {
        reader.expect('(')
        const values = reader.list(() => this.#expression({ items: [], outer, hasAggregate: false }))
        reader.expect(')')
        return values
      })
      given = (c) => rows.map((values) => values.map((value) => value(c)))
    } else {
      const { run } = this.#select(outer)
      given = (c) => run(c).rows.map((row) => Object.values(row))
    }
    const scope: Scope = { items: [], outer: null, hasAggregate: false }
    const slot = this.#slots++
    scope.items.push({ alias: name, slot, columns: columnsOf[name] ?? [] })
    const excluded = this.#slots++
    scope.items.push({ alias: 'excluded', slot: excluded, columns: [] })
    const conflict = this.#conflict(scope)
    const returning = this.#returning(scope)
    const run: Statement = (c) => {
      const table = tableOf(c, name)
      const rows: Row[] = []
      let count = 0
      for (const values of given(c)) {
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
        const next =
          existing === null ? row : withAssignments(c, table, existing, slot, conflict as Assignment[])
        lock(cell, 'exclusive', c.transaction)
        writeCell(c, cell, next)
        count++
        c.slots[slot] = next
        if (returning !== null) rows.push(rowOf(c, returning))
      }
      return { rows, count }
    }
    return { run, columns: namesOf(returning ?? [], scope) }
  }

  #conflict(scope: Scope): Assignment[] | 'nothing' | null {
    const reader = this.#reader
    if (!reader.takes('on', 'conflict')) return null
    if (reader.takes('(')) {
      reader.name()
      reader.expect(')')
    }
    reader.expect('do')
    if (reader.takes('nothing')) return 'nothing'
    reader.expect('update', 'set')
    return this.#assignments(scope)
  }

  #assignments(scope: Scope): Assignment[] {
    const reader = this.#reader
    return reader.list(() => {
      const column = reader.name()
      reader.expect('=')
      return { column, value: this.#expression(scope) }
    })
  }

  #update(outer: Scope | null): Compiled {
    const reader = this.#reader
    const scope: Scope = { items: [], outer, hasAggregate: false }
    const target = this.#source(scope)
    scope.items.push(target)
    reader.expect('set')
    const assignments = this.#assignments(scope)
    const others = reader.takes('from') ? this.#from(scope) : []
    const where = this.#where(scope)
    const returning = this.#returning(scope)
    const joins: Join[] = [{ source: target, isLeft: false, on: () => true }, ...others]
    const run: Statement = (c) => {
      const found: { cell: Cell; slots: Context['slots'] }[] = []
      visitMatches(c, joins, where, () =>
        found.push({ cell: c.cells[target.slot] as Cell, slots: c.slots.slice() }),
      )
      const rows: Row[] = []
      for (const { cell } of found) lock(cell, 'exclusive', c.transaction)
      for (const { cell, slots } of found) {
        c.slots = slots
        const before = Table.visible(cell, c.transaction) as Row
        const next = withAssignments(c, cell.table, before, target.slot, assignments)
        writeCell(c, cell, next)
        c.slots[target.slot] = next
        if (returning !== null) rows.push(rowOf(c, returning))
      }
      return { rows, count: found.length }
    }
    return { run, columns: namesOf(returning ?? [], scope) }
  }

  #delete(outer: Scope | null): Compiled {
    const scope: Scope = { items: [], outer, hasAggregate: false }
    const target = this.#source(scope)
    scope.items.push(target)
    const where = this.#where(scope)
    const run: Statement = (c) => {
      const found: Cell[] = []
      visitMatches(c, [{ source: target, isLeft: false, on: () => true }], where, () =>
        found.push(c.cells[target.slot] as Cell),
      )
      for (const cell of found) lock(cell, 'exclusive', c.transaction)
      for (const cell of found) writeCell(c, cell, null)
      return { rows: [], count: found.length }
    }
    return { run, columns: [] }
  }
}
