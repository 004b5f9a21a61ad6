import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

it('A dictionary to check by is read from the database once for each version', async () => {
  const dictionary = await buildDictionary(test.deps.db, { companyId: test.clerk.companyId! })
  const url = `/api/DataDictionary/${dictionary.id}/ForChecking`
  const path = `/api/DataDictionary/${dictionary.id}/Item/${dictionary.fieldIds[1]}`
  const columns = async (): Promise<string[]> => {
    const { fields } = (await test.call('GET', url, { as: test.clerk })).json().value
    return fields.map(({ columnName }: { columnName: string }) => columnName)
  }
  expect(await Promise.all([columns(), columns()])).toEqual([
    ['Name', 'Amount'],
    ['Name', 'Amount'],
  ])
  // Nothing of the product can do this.
  await sql`alter table frozen_fields disable trigger user`.execute(test.owner)
  await sql`update frozen_fields set content = content || '{"itemName": "Changed"}' where id = any(
    (select field_ids from dictionary_versions where dictionary_id = ${dictionary.id})::int[])`.execute(
    test.owner,
  )
  await sql`alter table frozen_fields enable trigger user`.execute(test.owner)
  expect(await columns()).toEqual(['Name', 'Amount'])
  expect((await test.call('DELETE', path, { as: test.administrator })).statusCode).toBe(200)
  expect(await columns()).toEqual(['Changed'])
})
