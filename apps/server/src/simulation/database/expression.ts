import type { Cell, ModelTransaction, Row, Table } from '#simulation/database/rows.ts'

/** The state of one run of a statement. */
export type Context = {
  parameters: readonly unknown[]
  transaction: ModelTransaction
  /** The database's clock. */
  now: number
  tables: { find(name: string): Table | undefined; rows(name: string): Row[] | undefined }
  /** The current row of each item of FROM, by the number of the item. */
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

/** The items of FROM that a name may refer to; those of the innermost SELECT come first. */
export type Scope = { items: Item[]; outer: Scope | null; hasAggregate: boolean; isCorrelated?: boolean }
export type Item = { alias: string; slot: number; columns: readonly string[] }

/** Compiles a SELECT inside an expression. */
export type Subqueries = { select(scope: Scope): (context: Context) => Row[] }
