import type { PostgresPool } from 'kysely'
import type pg from 'pg'

/** Whose rows a connection sees: those of one company, or all (`0014-company-rows`). */
export type Sight = 'all' | `${number}`

/** New connections see all. */
export const sightOption = '-c veridict.company=all'

/** What each connection sees now, so that only a change costs a statement. */
const sights = new WeakMap<object, Sight>()

/** The same pool, whose connections see `sight` when they are given out; null: as they were left. */
export function poolSeeing(pool: pg.Pool, sight: Sight | null): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      if (sight === null || (sights.get(client) ?? 'all') === sight) return client
      try {
        await client.query(`select set_config('veridict.company', $1, false)`, [sight])
        sights.set(client, sight)
        return client
      } catch (error) {
        client.release(error as Error)
        throw error
      }
    },
  }
}
