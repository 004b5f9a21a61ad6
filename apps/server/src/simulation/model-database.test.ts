import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

const program = join(import.meta.dirname, 'compare-with-postgres.ts')
const simulations = 6
type Report = { differences: string[]; statements: number; waits: number; digests: number[]; alone: number[] }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('The model of the database returns what PostgreSQL returns, statement by statement', async () => {
  // With this seed, statements wait for the locks of others.
  const run = promisify(execFile)(process.execPath, [program, database.url, '8', String(simulations)])
  const report = JSON.parse((await run).stdout) as Report
  expect(report.differences).toEqual([])
  expect(report.statements).toBeGreaterThan(100 * simulations)
  expect(report.waits).toBeGreaterThan(0)
  // The text of statements differs by the names of columns only.
  expect(report.digests).toEqual(report.alone)
}, 120_000)
