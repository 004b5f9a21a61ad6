import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import type { BatchingClient } from '#platform/database/batching-client.ts'
import { prepareStatement } from '#platform/database/prepared-statements.ts'

/** Whose rows a connection sees: those of a company, by its id, or all (`0014-company-rows`). */
export type VisibleRows = 'all' | `${number}`

/** New connections see all. */
export const allRowsOption = '-c veridict.company=all'

/**
 * The rows that each connection sees now, so that only a change costs a statement. Not valid any more if the
 * connection's `undoCount` has changed: a rollback may have undone the setting.
 */
const visible = new WeakMap<BatchingClient, { rows: VisibleRows; undoCount: number }>()
const atFirst = { rows: 'all', undoCount: 0 } as const

const setVisibleRows = `select set_config('veridict.company', $1, false)`

/** A view of `pool` whose connections see `rows`; null: whatever rows they saw in their last use. */
export function poolSeeing(pool: pg.Pool, rows: VisibleRows | null): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = (await pool.connect()) as pg.PoolClient & BatchingClient
      if (rows === null) return client
      const seen = visible.get(client) ?? atFirst
      if (seen.rows === rows && seen.undoCount === client.undoCount) return client
      prepareStatement(setVisibleRows)
      client.defer({ text: setVisibleRows, values: [rows] })
      visible.set(client, { rows, undoCount: client.undoCount })
      return client
    },
  }
}
