import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import type { Db } from '#platform/database/tables.ts'
import { createPgStatusBus } from '#platform/live/pg-status-bus.ts'
import { buildDictionary } from '#test/factories.ts'
import { FAULT_TIMEOUT_MILLISECONDS } from '#test/faults/portal-group.ts'
import { createStallingProxy } from '#test/stalling-proxy.ts'
import { createTcpProxy } from '#test/tcp-proxy.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { createEmptyDatabase } from '#test/test-database.ts'

/** Connections to the database that stop working, wait for each other, or end during a migration. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS, hookTimeout: FAULT_TIMEOUT_MILLISECONDS })
const soon = { timeout: 30_000 }
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

describe('The connection for events', () => {
  it('F17: is replaced when it is dead without an error, and listeners are notified of the gap', async () => {
    const { env, db, log } = portal.deps
    const proxy = await createStallingProxy(env.databaseUrl)
    const bus = createPgStatusBus(proxy.url, db, log, { isWorker: false })
    const received: number[] = []
    let gaps = 0
    bus.subscribe({ onStatus: ({ FileId }) => received.push(FileId), onEnd: () => {}, onGap: () => gaps++ })
    onTestFinished(async () => {
      await bus.close()
      await proxy.close()
    })
    const publish = (FileId: number) =>
      bus.publish({ FileId, FilesStatus: 1, RecordCount: null, companyId: 1, userId: 1 })
    await expect.poll(() => bus.leases.next().holder, soon).not.toBeNull()
    await publish(1)
    await expect.poll(() => received, soon).toEqual([1])
    proxy.stall()
    await publish(2)
    await expect.poll(() => gaps, soon).toBe(1)
    await publish(3)
    await expect.poll(() => received, soon).toEqual([1, 3])
  })
})

describe('Transactions that wait for each other', () => {
  it('F18: are repeated by the portal: two administrators who reorder fields get 200 or 409', async () => {
    const { id, fieldIds } = await buildDictionary(portal.deps.db, {
      fields: ['a', 'b', 'c', 'd'].map((itemName) => ({ itemName })),
    })
    const as = await portal.tokenOf(portal.administrator)
    const reorder = (ids: readonly number[]) =>
      portal.call('PUT', `/api/DataDictionary/${id}/Item/change-order`, {
        as,
        body: { itemPositionList: ids.map((itemId, index) => ({ itemId, position: index + 1 })) },
      })
    for (let round = 0; round < 100; round++) {
      const replies = await Promise.all([reorder(fieldIds), reorder(fieldIds.toReversed())])
      for (const { statusCode } of replies) expect([200, 409]).toContain(statusCode)
    }
    const items = await portal.call('GET', `/api/DataDictionary/${id}/Item?PageNumber=1&PageSize=10`, { as })
    const { data } = (items.json() as { value: { data: { position: number }[] } }).value
    expect(data.map(({ position }) => position)).toEqual([1, 2, 3, 4])
  })
})

describe('A migration', () => {
  /** Migrates the database; all its connections end when the message with the number `at` is sent. */
  async function migrateUntil(url: string, at: number): Promise<void> {
    let messages = 0
    const proxy = await createTcpProxy(url, (client, database) => {
      client.on('error', () => {}).on('close', () => database.destroy())
      database.on('error', () => {}).on('close', () => client.destroy())
      client.on('data', (data) => (++messages >= at ? client.destroy() : database.write(data)))
      database.pipe(client)
    })
    await migrate(proxy.url).catch((error: unknown) => {
      if (messages < at) throw error
    })
    await proxy.close()
  }
  type State = { tables: number; migrations: string[] }
  const stateOf = async (db: Db) => {
    const { rows } = await sql<State>`select
      (select count(*)::integer from pg_tables where schemaname = 'public' and tablename not like 'kysely%')
        as tables,
      (select coalesce(array_agg(name::text order by name), '{}') from kysely_migration) as migrations
    `.execute(db)
    return rows[0]!
  }
  /** Whether all is done. Throws if the database has only some of the tables. */
  const isMigrated = async (db: Db) => {
    const { rows } = await sql`select from pg_tables where tablename = 'kysely_migration'`.execute(db)
    if (rows.length === 0) return false
    const [found, complete] = [await stateOf(db), await stateOf(portal.owner)]
    expect(found.tables).toBe(complete.tables)
    return isDeepStrictEqual(found.migrations, complete.migrations)
  }

  it('F31: that is killed at any statement leaves nothing, and the next one completes', async () => {
    const database = await createEmptyDatabase()
    onTestFinished(() => database.drop())
    let at = 1
    // The long form tries every message; the short form one in 17, which takes some seconds.
    const step = process.env['FAULT_ROUNDS'] === undefined ? 17 : 1
    const db = openDatabase(database.url)
    for (; !(await isMigrated(db)); at += step) await migrateUntil(database.url, at)
    expect(at).toBeGreaterThan(100)
    await db.destroy()
  })
})
