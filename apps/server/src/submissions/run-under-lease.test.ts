import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { ClaimedSubmission } from '#submissions/submission-claims.ts'
import { runUnderLease } from '#submissions/run-under-lease.ts'
import { createBreakableProxy, type BreakableProxy } from '#test/breakable-proxy.ts'
import { buildSubmission } from '#test/factories.ts'
import { findRow } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const leaseId = randomUUID()
let portal: TestApp
let proxy: BreakableProxy
let db: TestApp['deps']['db']

beforeAll(async () => {
  portal = await createTestApp()
  proxy = await createBreakableProxy(portal.deps.env.databaseUrl)
  db = openDatabase(proxy.url)
})
afterAll(async () => {
  await db.destroy()
  await proxy.close()
  await portal.close()
})

async function begin(): Promise<ClaimedSubmission> {
  const leaseUntil = new Date(Date.now() + 24_000)
  const claimed = { status: SubmissionStatus.InProcess, leaseId, leaseUntil }
  const submission = await buildSubmission(portal.deps.db, claimed)
  return { ...submission, leaseId, isTakenOver: false, isFromBackup: false }
}
const run = (submission: ClaimedSubmission, shutdown: AbortSignal, work: () => Promise<void>) =>
  runUnderLease('validateSubmission', submission, { ...portal.deps, db }, shutdown, work)
const leaseOf = async (id: number) => (await findRow(portal.deps.db, id)).leaseId

describe('The lease of a run that fails because the database was cut off', () => {
  const loseDatabase = async () => {
    proxy.break()
    throw new Error('no database')
  }

  it('is released once the database is back, long before it ends', async () => {
    const submission = await begin()
    const failure = run(submission, new AbortController().signal, loseDatabase).catch(
      (error: unknown) => error,
    )
    await sleep(1_500)
    expect(await leaseOf(submission.id)).toBe(leaseId)
    proxy.restore()
    expect(await failure).toMatchObject({ message: 'no database' })
    expect(await leaseOf(submission.id)).toBeNull()
  })

  it('stays until its end if the server shuts down before', async () => {
    const submission = await begin()
    const shutdown = new AbortController()
    const failure = run(submission, shutdown.signal, loseDatabase).catch((error: unknown) => error)
    await sleep(200)
    shutdown.abort()
    expect(await failure).toMatchObject({ message: 'no database' })
    proxy.restore()
    expect(await leaseOf(submission.id)).toBe(leaseId)
  })
})
