import { templateTexts } from '@veridict/contract/messages/template-file'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { readTable, portalGuards } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const fetchTemplate = (id: number, as: TestApp['clerk']) =>
  test.call('GET', `/api/DataDictionary/${id}/Template`, { as })

const fields = [
  { itemName: '=Id', ruleType: ruleNumbers.text, isRequired: true },
  {
    itemName: 'Status',
    ruleType: ruleNumbers.list,
    isRequired: false,
    ruleConfig: { optionSetValues: ['Open', 'Closed'] },
  },
]

describe('The template of a dictionary', () => {
  it('is a workbook with the headings of its fields', async () => {
    const { id } = await buildDictionary(test.deps.db, { name: 'Fälle "2026"; /a', fields })
    const { statusCode, headers, rawPayload } = await fetchTemplate(id, test.administrator)
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toBe(
      'attachment; filename="F_lle _2026_; /a_template.xlsx"; ' +
        "filename*=UTF-8''F%C3%A4lle%20%222026%22%3B%20%2Fa_template.xlsx",
    )
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    const source = bytesSource(rawPayload)
    const table = await readTable({
      source,
      fileName: 'a.xlsx',
      fields: [],
      platform: nodePlatform(),
      limits: portalGuards,
    })
    expect(table).toMatchObject({ kind: 'table', header: ['=Id', 'Status'] })
    expect((await fetchTemplate(id, test.administrator)).rawPayload).toEqual(rawPayload)
  })

  it('is available to clerks of its companies, and 404 for others', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields, companyId: test.clerk.companyId! })
    const otherCompanyUser = await buildUser(test.deps.db)
    expect((await fetchTemplate(id, test.clerk)).statusCode).toBe(200)
    const [foreign, missing] = [
      await fetchTemplate(id, otherCompanyUser),
      await fetchTemplate(2_147_483_647, otherCompanyUser),
    ]
    expect([foreign.statusCode, foreign.json()]).toEqual([404, missing.json()])
  })

  it('is 404 for clerks after dissociation, and for everyone after deletion', async () => {
    const { companyId } = test.clerk
    const { id } = await buildDictionary(test.deps.db, { fields, companyId: companyId! })
    await test.call('DELETE', `/api/Company/${companyId}/datadictionary/${id}`, { as: test.administrator })
    expect((await fetchTemplate(id, test.clerk)).statusCode).toBe(404)
    expect((await fetchTemplate(id, test.administrator)).statusCode).toBe(200)
    await test.call('DELETE', `/api/DataDictionary/${id}`, { as: test.administrator })
    expect((await fetchTemplate(id, test.administrator)).statusCode).toBe(404)
  })

  it('does not exist while the dictionary has no fields', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields: [], companyId: test.clerk.companyId! })
    for (const user of [test.administrator, test.clerk]) {
      const reply = await fetchTemplate(id, user)
      expect([reply.statusCode, reply.json()]).toEqual([409, { message: templateTexts.noFields }])
    }
  })

  it('needs a number as id', async () => {
    expect((await test.call('GET', '/api/DataDictionary/x/Template', { as: test.clerk })).statusCode).toBe(
      400,
    )
  })
})
