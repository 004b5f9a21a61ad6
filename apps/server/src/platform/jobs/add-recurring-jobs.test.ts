import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RecurringJob } from '#platform/jobs/job-queue.ts'
import { addRecurringJobs } from '#platform/jobs/add-recurring-jobs.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const hourly: RecurringJob = {
  name: 'sweepStorage',
  dueAfter: (time) => new Date(Math.floor(time.getTime() / 3_600_000 + 1) * 3_600_000),
}

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(async () => {
  portal.jobs.length = 0
  await portal.deps.db.deleteFrom('marks').execute()
})

const look = () => addRecurringJobs({ ...portal.deps, jobs: { ...portal.deps.jobs, recurring: [hourly] } })
const setLastTime = (interval: string) =>
  sql`insert into marks (name, at) values ('recurring sweepStorage', now() + ${interval}::interval)`.execute(
    portal.deps.db,
  )
const added = [{ name: 'sweepStorage', payload: {} }]

describe('A recurring job', () => {
  it('is not added at the first start, which only records the time', async () => {
    await look()
    await look()
    expect(portal.jobs).toEqual([])
  })

  it.for([
    { lastTime: '-1 hour', why: 'its time has come' },
    { lastTime: '-3 days', why: 'no process ran for days' },
    { lastTime: '1 year', why: 'the clock was a year ahead and was set back' },
  ])('is added once for all processes when $why', async ({ lastTime }) => {
    await setLastTime(lastTime)
    await Promise.all([look(), look(), look()])
    await look()
    expect(portal.jobs).toEqual(added)
  })
})
