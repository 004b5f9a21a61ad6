import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moveSubmission } from '#submissions/submission-moves.ts'
import { buildSubmission } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

it('A change of a submission sets the columns and expressions that it has, and no others', async () => {
  const { db } = portal.deps
  const { id } = await buildSubmission(db, { status: 1, recordsCount: 7 })
  const moved = (move: Parameters<typeof moveSubmission>[2]) =>
    db.transaction().execute((trx) => moveSubmission(trx, id, move))
  const first = await moved({ from: 1, to: 3, change: { attempts: sql`1 + 1`, recordsCount: undefined } })
  expect(first).toMatchObject({ attempts: 2, recordsCount: 7 })
  const second = await moved({ from: 3, to: 5, change: { attempts: sql`4 + 1`, recordsCount: 8 } })
  expect(second).toMatchObject({ attempts: 5, recordsCount: 8 })
  expect(await moved({ from: 5, to: 3, change: { attempts: 0 } })).toMatchObject({ attempts: 0, status: 3 })
  expect(await moved({ from: 3, to: 5, change: { attempts: 1 } })).toMatchObject({ attempts: 1, status: 5 })
})
