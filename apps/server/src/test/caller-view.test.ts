import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { viewOfCaller } from '#platform/database/caller-view.ts'
import { shareRead } from '#platform/database/shared-reads.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { UserRow } from '#platform/database/tables.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import { holdAuthority, isAuthorityEnded } from '#platform/access/authority.ts'
import { buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

async function viewerOf({ id: userId, companyId, role, name, email }: UserRow): Promise<Viewer> {
  const sessionId = portal.deps.tokens.readAccess(
    await portal.tokenOf({ id: userId, role, email } as UserRow),
  )?.sid
  return { userId, companyId, role, name, email, sessionId: sessionId ?? '', uploadStop: null }
}
const viewOf = (viewer: Viewer) =>
  viewOfCaller(portal.deps.db, viewer.companyId, (trx) => holdAuthority(trx, viewer))

describe('The database of a call', () => {
  const writes: Record<string, (db: TestApp['deps']['db']) => Promise<unknown>> = {
    insert: (db) => db.insertInto('marks').values({ name: 'x', at: new Date() }).execute(),
    update: (db) => db.updateTable('users').set({ name: 'x' }).execute(),
    delete: (db) => db.deleteFrom('marks').execute(),
    'SQL with an update in it': (db) =>
      sql`with gone as (delete from marks returning *) select * from gone`.execute(db),
    'transaction of its own': (db) => db.transaction().execute((trx) => trx.deleteFrom('marks').execute()),
  }
  it.for(Object.keys(writes))('refuses: %s', async (name) => {
    const view = viewOf(await viewerOf(portal.clerk))
    // More often than there are connections.
    for (let i = 0; i < 11; i++) await expect(writes[name]?.(view)).rejects.toThrow('writes outside')
  })

  it('shares reads with other calls of the company', async () => {
    const viewer = await viewerOf(portal.clerk)
    let reads = 0
    const read = async () => void reads++
    await Promise.all([1, 2, 3].map(() => shareRead(viewOf(viewer), 'test', read)))
    expect(reads).toBe(2)
  })
})

describe('A write that asked for its authority', () => {
  it('is committed before the authority ends, which waits for it', async () => {
    const user = await buildUser(portal.deps.db)
    const viewer = await viewerOf(user)
    const [isHeld, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const order: string[] = []
    const write = inTransaction(viewOf(viewer), async (trx) => {
      await sql`select 1`.execute(trx)
      isHeld.resolve()
      await mayGoOn.promise
    }).then(() => order.push('written'))
    await isHeld.promise
    const end = portal
      .call('DELETE', `/api/User/${user.id}`, { as: portal.administrator })
      .then(() => order.push('ended'))
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(portal.owner)
      return rows.length > 0
    })
    // It begins after the end, and so waits for it.
    const late = inTransaction(viewOf(viewer), (trx) => sql`select 1`.execute(trx))
    late.catch(() => {})
    mayGoOn.resolve()
    await Promise.all([write, end])
    expect(order).toEqual(['written', 'ended'])
    await expect(late).rejects.toSatisfy(isAuthorityEnded)
  })
})
