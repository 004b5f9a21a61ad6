import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCompany, buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

describe('The counts of the dashboard', () => {
  it('do not include what was deleted', async () => {
    const counts = async () =>
      (await test.call('GET', '/api/Admin/counts', { as: test.administrator })).json().value
    const before = await counts()
    await buildCompany(test.deps.db)
    await buildCompany(test.deps.db, { deletedAt: new Date() })
    const { id } = await buildDictionary(test.deps.db)
    await buildDictionary(test.deps.db)
    await test.deps.db
      .updateTable('dictionaries')
      .set({ deletedAt: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await counts()).toEqual({
      totalDataDictionaries: before.totalDataDictionaries + 1,
      totalCompanies: before.totalCompanies + 1,
    })
  })
})
