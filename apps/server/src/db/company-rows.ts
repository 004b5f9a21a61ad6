import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import type { BatchingClient } from '#db/batching-client.ts'
import { keepStatement } from '#db/statements.ts'

/** Whose rows a connection sees: those of one company, or all (`0014-company-rows`). */
export type Sight = 'all' | `${number}`

/** New connections see all. */
export const sightOption = '-c veridict.company=all'

/** What each connection sees now, so that only a change costs a statement; unknown if it was undone since. */
const sights = new WeakMap<BatchingClient, { sight: Sight; undone: number }>()
const firstSight = { sight: 'all', undone: 0 } as const

const setSight = `select set_config('veridict.company', $1, false)`

/** The same pool, whose connections see `sight` when they are given out; null: as they were left. */
export function poolSeeing(pool: pg.Pool, sight: Sight | null): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = (await pool.connect()) as pg.PoolClient & BatchingClient
      if (sight === null) return client
      const seen = sights.get(client) ?? firstSight
      if (seen.sight === sight && seen.undone === client.undone) return client
      keepStatement(setSight)
      client.sendBefore({ text: setSight, values: [sight] })
      sights.set(client, { sight, undone: client.undone })
      return client
    },
  }
}
