import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCompany, buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const ROUNDS = 20

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

/** Calls of administrators at the same moment; every one must end well or be refused, never fail. */
async function atOnce(
  ...calls: [method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object][]
): Promise<void> {
  const as = await test.tokenOf(test.administrator)
  const replies = await Promise.all(calls.map(([method, url, body]) => test.call(method, url, { as, body })))
  for (const reply of replies) expect([200, 201, 400, 404, 409], reply.body).toContain(reply.statusCode)
}

describe('Administrators who work at the same time', () => {
  it('never leave a deleted dictionary associated with a company', async () => {
    const company = await buildCompany(test.deps.db)
    for (let round = 0; round < ROUNDS; round++) {
      const { id, fieldIds } = await buildDictionary(test.deps.db)
      const field = { dataDictionaryId: id, itemName: 'New', ruleType: 0 }
      await atOnce(
        ['POST', '/api/Company/datadictionary', { companyId: company.id, dataDictionaryId: id }],
        ['POST', '/api/DataDictionary/Item', field],
        ['DELETE', `/api/DataDictionary/${id}`],
        ['PUT', `/api/DataDictionary?id=${id}`, { name: `Renamed ${round}` }],
        ['DELETE', `/api/Company/${company.id}/datadictionary/${id}`],
        ['DELETE', `/api/DataDictionary/${id}/Item/${fieldIds[0]}`],
        ['POST', `/api/DataDictionary/copy/${id}`, { name: `Copy ${round}` }],
      )
    }
    const left = test.deps.db
      .selectFrom('companyDictionaries')
      .innerJoin('dictionaries', 'dictionaries.id', 'dictionaryId')
    expect(await left.where('deletedAt', 'is not', null).select('dictionaryId').execute()).toEqual([])
  })

  it('never leave an active user in a deleted company', async () => {
    const dictionary = await buildDictionary(test.deps.db)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await buildCompany(test.deps.db)
      const user = { name: 'Anna', email: `anna-${round}@example.test`, companyId: id }
      await atOnce(
        ['POST', '/api/User', user],
        ['DELETE', `/api/Company/${id}`],
        ['POST', '/api/Company/datadictionary', { companyId: id, dataDictionaryId: dictionary.id }],
        ['PUT', `/api/Company/${id}`, { name: `Renamed ${round}`, containerName: `renamed-${round}` }],
      )
    }
    const users = test.deps.db.selectFrom('users').innerJoin('companies', 'companies.id', 'users.companyId')
    const left = users.where('companies.deletedAt', 'is not', null).where('users.deletedAt', 'is', null)
    expect(await left.select('users.email').execute()).toEqual([])
  })

  it('get one new revision for each change of a dictionary', async () => {
    const { id, fieldIds, revision } = await buildDictionary(test.deps.db)
    for (let round = 0; round < ROUNDS; round++) {
      await atOnce(
        ['PUT', `/api/DataDictionary?id=${id}`, { name: `Renamed again ${round}` }],
        ['PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, { itemName: `Field ${round}`, ruleType: 0 }],
        ['POST', '/api/DataDictionary/Item', { dataDictionaryId: id, itemName: `New ${round}`, ruleType: 0 }],
      )
    }
    const row = await test.deps.db
      .selectFrom('dictionaries')
      .select('revision')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.revision).toBe(revision + 3 * ROUNDS)
  })
})
