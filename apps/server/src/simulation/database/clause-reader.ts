import type { Expression, Item, Scope, Subqueries } from '#simulation/database/expression.ts'
import { readExpression } from '#simulation/database/read-expression.ts'
import {
  type Assignment,
  type Column,
  eachOf,
  type Join,
  type Source,
} from '#simulation/database/row-operations.ts'
import type { LockMode, Row } from '#simulation/database/rows.ts'
import { tableShapes } from '#simulation/database/tables.ts'
import type { Reader } from '#simulation/database/tokens.ts'

/** The columns of our tables, and of the tables of PostgreSQL that the services read. */
export const columnsOf: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.entries(tableShapes).map(([name, { columns }]) => [name, columns])),
  pgLocks: ['locktype', 'classid', 'objid', 'database'],
  pgDatabase: ['oid', 'datname'],
}

export type Order = { value: Expression; sign: 1 | -1 }
export type Locking = { mode: LockMode; slot: number; isSkipping: boolean }

/** Reads the clauses that several kinds of statements have, such as FROM and RETURNING, and compiles them. */
export class ClauseReader {
  /** The parts of WITH by name. */
  readonly withParts = new Map<string, { number: number; columns: string[] }>()
  readonly #reader: Reader
  readonly #subqueries: Subqueries
  #slotCount = 0

  constructor(reader: Reader, subqueries: Subqueries) {
    this.#reader = reader
    this.#subqueries = subqueries
  }

  /** A new place in `Context.slots`, for one item of FROM. */
  nextSlot(): number {
    return this.#slotCount++
  }

  expression(scope: Scope): Expression {
    return readExpression(this.#reader, scope, this.#subqueries)
  }

  /** A table, a part of WITH, or a function of rows; with its alias. */
  source(scope: Scope): Source {
    const reader = this.#reader
    const name = reader.name()
    const slot = this.nextSlot()
    if (reader.takes('(')) return this.#function(name, slot, scope)
    const part = this.withParts.get(name)
    const columns = part?.columns ?? columnsOf[name]
    if (columns === undefined) return reader.fail(`unknown table ${name}`)
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
    if (name !== 'unnest' && name !== 'jsonbArrayElements') return reader.fail(`unknown function ${name}`)
    const values = this.expression(scope)
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
  from(scope: Scope): Join[] {
    const reader = this.#reader
    const joins: Join[] = []
    const add = (isLeft: boolean, hasCondition: boolean) => {
      const source = this.source(scope)
      scope.items.push(source)
      if (hasCondition) reader.expect('on')
      joins.push({ source, isLeft, on: hasCondition ? this.expression(scope) : () => true })
    }
    add(false, false)
    for (;;) {
      if (reader.takes('inner', 'join') || reader.takes('join')) add(false, true)
      else if (reader.takes('left', 'join')) add(true, true)
      else if (reader.takes('cross', 'join')) add(false, false)
      else return joins
    }
  }

  where(scope: Scope): Expression {
    return this.#reader.takes('where') ? this.expression(scope) : () => true
  }

  /** The columns after SELECT or RETURNING. */
  columns(scope: Scope): Column[] {
    const reader = this.#reader
    return reader.list((): Column => {
      if (reader.takes('*')) return { allOf: (scope.items[0] as Item).slot }
      const all = scope.items.find(({ alias }) => reader.isNextAllOf(alias))
      if (all !== undefined) {
        reader.place += 3
        return { allOf: all.slot }
      }
      const start = reader.place
      const value = this.expression(scope)
      const plain = reader.plainNameFrom(start)
      return { name: reader.takes('as') ? reader.name() : (plain ?? `column at ${start}`), value }
    })
  }

  /** One of the expressions after ORDER BY. */
  order(scope: Scope): Order {
    const value = this.expression(scope)
    const isDescending = this.#reader.takes('desc')
    if (!isDescending) this.#reader.takes('asc')
    return { value, sign: isDescending ? -1 : 1 }
  }

  /** FOR SHARE or FOR UPDATE. */
  locking(scope: Scope): Locking | null {
    const reader = this.#reader
    if (!reader.takes('for')) return null
    const mode: LockMode = reader.takes('share') ? 'share' : 'exclusive'
    if (mode === 'exclusive') reader.expect('update')
    const name = reader.takes('of') ? reader.name() : scope.items[0]?.alias
    const item = scope.items.find(({ alias }) => alias === name)
    if (item === undefined) return reader.fail('unknown table to lock')
    return { mode, slot: item.slot, isSkipping: reader.takes('skip', 'locked') }
  }

  returning(scope: Scope): Column[] | null {
    return this.#reader.takes('returning') ? this.columns(scope) : null
  }

  /** ON CONFLICT: the assignments of DO UPDATE, 'nothing' for DO NOTHING, or null without the clause. */
  conflict(scope: Scope): Assignment[] | 'nothing' | null {
    const reader = this.#reader
    if (!reader.takes('on', 'conflict')) return null
    if (reader.takes('(')) {
      reader.name()
      reader.expect(')')
    }
    reader.expect('do')
    if (reader.takes('nothing')) return 'nothing'
    reader.expect('update', 'set')
    return this.assignments(scope)
  }

  assignments(scope: Scope): Assignment[] {
    const reader = this.#reader
    return reader.list(() => {
      const column = reader.name()
      reader.expect('=')
      return { column, value: this.expression(scope) }
    })
  }
}
