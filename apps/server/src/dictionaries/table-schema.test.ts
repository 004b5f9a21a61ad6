import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { readTableSchema } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findWholeVersion, readDictionary } from '#dictionaries/dictionaries.ts'
import { buildDictionary, type BuiltField } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const exportSchema = (id: number) =>
  test.call('GET', `/api/DataDictionary/${id}/TableSchema`, { as: test.administrator })

const EVERY_TYPE: readonly BuiltField[] = [
  {
    itemName: 'Name',
    description: 'As on the card',
    category: 'Person',
    ruleConfig: { minLength: 2, maxLength: 40 },
  },
  { itemName: 'Amount', ruleType: ruleNumbers.number, isRequired: false, ruleConfig: { scale: 2, min: 0.1 } },
  { itemName: 'Born', ruleType: ruleNumbers.date, ruleConfig: { format: 'dd/MM/yyyy' } },
  { itemName: 'Code', ruleType: ruleNumbers.pattern, ruleConfig: { regularExpression: 'A\\d|B' } },
  { itemName: 'Status', ruleType: ruleNumbers.list, ruleConfig: { optionSetValues: ['Open', 'Closed'] } },
]

describe('Exporting a dictionary as a Table Schema', () => {
  it('sends JSON under the name of the dictionary', async () => {
    const { id } = await buildDictionary(test.deps.db, { name: 'Fälle "2026"' })
    const { statusCode, headers, json } = await exportSchema(id)
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="F_lle _2026_.schema.json"; filename*=UTF-8''F%C3%A4lle%20%222026%22.schema.json`,
    )
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(json()).toMatchObject({
      title: 'Fälle "2026"',
      fields: [{ name: 'Name' }, { name: 'Amount', 'veridict:scale': 2 }],
    })
  })

  it('loses nothing that the form accepts', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields: EVERY_TYPE })
    const { db } = test.deps
    const { versionId } = await readDictionary(db, id)
    const { name, fields } = await findWholeVersion(db, versionId)
    const read = await readTableSchema((await exportSchema(id)).payload, nodePlatform())
    expect(read).toEqual({ kind: 'dictionary', name, fields, ruleBook: emptyRuleBook, notes: [] })
  })

  it('returns 404 for a dictionary that does not exist', async () => {
    expect((await exportSchema(2_147_483_647)).statusCode).toBe(404)
  })
})
