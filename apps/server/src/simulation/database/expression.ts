import type { Cell, ModelTransaction, Row, Table } from '#simulation/database/rows.ts'

/** What a statement runs with. */
export type Context = {
  parameters: readonly unknown[]
  transaction: ModelTransaction
  /** The database's clock. */
  now: number
  tables: { find(name: string): Table | undefined; rows(name: string): Row[] | undefined }
  /** The row of each item of FROM that is being looked at, by the number of the item. */
  slots: (Row | undefined)[]
  cells: (Cell | undefined)[]
  /** Results of the parts of WITH. */
  parts: Row[][]
  /** Results of subqueries that depend on no row outside of them. */
  constants: (Row[] | undefined)[]
  /** The rows of an aggregate, as copies of `slots`. */
  group: (Row | undefined)[][]
  undo: (() => void)[]
}
export type Expression = (context: Context) => unknown

/** What a name may mean: the items of FROM, the innermost first. */
export type Scope = { items: Item[]; outer: Scope | null; hasAggregate: boolean; isCorrelated?: boolean }
export type Item = { alias: string; slot: number; columns: readonly string[] }

/** Compiles the parts of a statement that contain statements. */
export type Subqueries = { select(scope: Scope): (context: Context) => Row[] }
