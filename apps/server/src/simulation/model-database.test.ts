import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

const program = join(import.meta.dirname, 'compare-with-postgres.ts')
const simulations = 6
type Report = {
  differences: string[]
  statements: number
  waits: number
  digests: number[]
  digestsAlone: number[]
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('The model of the database returns what PostgreSQL returns, statement by statement', async () => {
  // With this seed, some statements wait for locks.
  const run = promisify(execFile)(process.execPath, [program, database.url, '8', String(simulations)])
  const report = JSON.parse((await run).stdout) as Report
  expect(report.differences).toEqual([])
  expect(report.statements).toBeGreaterThan(100 * simulations)
  expect(report.waits).toBeGreaterThan(0)
  // With PostgreSQL the statements name columns in snake_case, which must not change what happens.
  expect(report.digests).toEqual(report.digestsAlone)
}, 120_000)
