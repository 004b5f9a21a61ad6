import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileOnce, runPrepared } from '#platform/database/prepared-statements.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

it('A statement that is compiled once gets the values of each run as its parameters', async () => {
  let compiled = 0
  const statement = compileOnce((db, { a, b }: { a: number; b: string | null }) => {
    compiled++
    return db.selectNoFrom([
      sql<number>`${a}::int + ${1}::int`.as('nextNumber'),
      sql<string | null>`${b}::text`.as('text'),
      sql<number>`${a}::int`.as('again'),
    ])
  })
  const { db } = portal.deps
  expect(await runPrepared(db, statement({ a: 1, b: 'x' }))).toEqual([{ nextNumber: 2, text: 'x', again: 1 }])
  expect(await runPrepared(db, statement({ a: 2, b: null }))).toEqual([
    { nextNumber: 3, text: null, again: 2 },
  ])
  expect(compiled).toBe(1)
})
