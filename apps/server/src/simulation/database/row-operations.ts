import type { Context, Expression, Item, Scope } from '#simulation/database/expression.ts'
import { order } from '#simulation/database/operators.ts'
import { type Cell, type Row, Table, write } from '#simulation/database/rows.ts'

/** `each` puts one row after the other into the slot of the item, and calls `visit` after each. */
export type Source = Item & { each(context: Context, visit: () => void): void }
export type Join = { source: Source; isLeft: boolean; on: Expression }
export type Column = { name: string; value: Expression } | { allOf: number }
export type Assignment = { column: string; value: Expression }

export function tableOf({ tables }: Context, name: string): Table {
  const table = tables.find(name)
  if (table === undefined) throw new Error(`The model of the database has no table ${name}`)
  return table
}

/** All rows of a table that the transaction sees; also of the system's tables. */
export const eachOf =
  (name: string, slot: number): Source['each'] =>
  (c, visit) => {
    const table = c.tables.find(name)
    if (table === undefined) {
      for (const row of c.tables.rows(name) ?? []) {
        c.slots[slot] = row
        visit()
      }
      return
    }
    for (const cell of table.cells.values()) {
      const row = Table.visible(cell, c.transaction)
      if (row === null) continue
      c.slots[slot] = row
      c.cells[slot] = cell
      visit()
    }
  }

/** Calls `visit` for every combination of rows that meets the conditions, with these rows in their slots. */
export function visitMatches(c: Context, joins: readonly Join[], where: Expression, visit: () => void): void {
  const step = (index: number): void => {
    const join = joins[index]
    if (join === undefined) {
      if (where(c) === true) visit()
      return
    }
    let isFound = false
    join.source.each(c, () => {
      if (join.on(c) !== true) return
      isFound = true
      step(index + 1)
    })
    if (isFound || !join.isLeft) return
    c.slots[join.source.slot] = undefined
    step(index + 1)
  }
  step(0)
}

/** The row of a result: its columns, calculated from the rows in the slots. */
export function rowOf(c: Context, columns: readonly Column[]): Row {
  const row: Row = {}
  for (const column of columns)
    if ('allOf' in column) Object.assign(row, c.slots[column.allOf])
    else row[column.name] = column.value(c)
  return row
}

export function namesOf(columns: readonly Column[], scope: Scope): string[] {
  return columns.flatMap((column) =>
    'allOf' in column
      ? (scope.items.find(({ slot }) => slot === column.allOf)?.columns ?? [])
      : [column.name],
  )
}

/** The row with the new values of SET. */
export function withAssignments(
  c: Context,
  table: Table,
  before: Row,
  slot: number,
  assignments: readonly Assignment[],
): Row {
  c.slots[slot] = before
  const next = { ...before }
  for (const { column, value } of assignments) next[column] = table.stored(column, value(c))
  return next
}

/** Writes a version of a row. Adds to `undo` what restores the row if the statement fails or has to wait. */
export function writeCell(c: Context, cell: Cell, row: Row | null): void {
  const { pending, writer } = cell
  c.undo.push(() => {
    cell.pending = pending
    cell.writer = writer
  })
  write(cell, row, c.transaction)
}

export function orderOf(a: unknown[], b: unknown[], orders: readonly { sign: 1 | -1 }[]): number {
  for (const [index, { sign }] of orders.entries()) {
    const found = order(a[index], b[index])
    if (found !== 0) return found * sign
  }
  return 0
}
