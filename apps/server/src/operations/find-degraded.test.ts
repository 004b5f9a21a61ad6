import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDegraded } from '#operations/find-degraded.ts'
import { stopWrites } from '#platform/access/authority.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { createPgStatusBus } from '#platform/live/pg-status-bus.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

it('F36: Two servers with different secrets say so, unless each accepts that of the other', async () => {
  const { deps } = portal
  const secrets = { ours: 'a'.repeat(32), other: 'b'.repeat(32) }
  const tokens = (tokenSecret: string, tokenSecretPrevious: string | null) =>
    createTokens({ tokenSecret, tokenSecretPrevious, accessTokenMinutes: 15 })
  const [secretNumber] = tokens(secrets.other, null).secretNumbers
  const degraded = (previous: string | null) =>
    findDegraded({ db: deps.db, tokens: tokens(secrets.ours, previous) })
  const bus = createPgStatusBus(deps.env.databaseUrl, deps.db, deps.log, { isWorker: false, secretNumber })
  await expect.poll(() => degraded(null)).toEqual(['tokenSecret'])
  expect(await degraded(secrets.other)).toEqual([])
  await bus.close()
  await expect.poll(() => degraded(null)).toEqual([])
})

it('A person whose writes are stopped is no server with another secret', async () => {
  const { db, tokens } = portal.deps
  await inTransaction(db, async (trx) => {
    await stopWrites(trx, { userId: 1 })
    await sql`select`.execute(trx)
    expect(await findDegraded({ db, tokens })).toEqual([])
  })
})
