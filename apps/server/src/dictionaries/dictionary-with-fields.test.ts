import { dictionaryLimits, fileGuards } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const dictionaries = () => test.deps.db.selectFrom('dictionaries').selectAll().execute()
const uniqueName = () => `Claims ${crypto.randomUUID()}`
async function create(body: object) {
  const reply = await test.call('POST', '/api/DataDictionary', {
    as: test.administrator,
    body: { name: uniqueName(), ...body },
  })
  return { status: reply.statusCode, body: reply.json() }
}
const text = (itemName: string) => ({ itemName, ruleType: 0 })

describe('Creating a dictionary with fields', () => {
  it('creates all of them, in order and in the first version', async () => {
    const items = [
      {
        itemName: ' Amount ',
        description: 'What is billed',
        category: 'Money',
        ruleType: 1,
        isRequired: false,
        ruleConfig: '{"scale":2}',
      },
      { itemName: 'Status', ruleType: 4, ruleConfig: '{"optionSetValues":["Open","Closed"]}' },
    ]
    const { status, body } = await create({ items })
    expect([status, body]).toEqual([
      201,
      { value: { id: expect.any(Number) }, successMessage: dictionaryMessages.created },
    ])
    const { db } = test.deps
    const { id } = body.value
    const fields = db.selectFrom('fields').selectAll().where('dictionaryId', '=', id).orderBy('position')
    expect(await fields.execute()).toMatchObject([
      {
        position: 1,
        name: 'Amount',
        description: 'What is billed',
        category: 'Money',
        required: false,
        ruleType: 1,
        ruleConfig: { scale: 2 },
      },
      {
        position: 2,
        name: 'Status',
        required: true,
        ruleType: 4,
        ruleConfig: { optionSetValues: ['Open', 'Closed'] },
      },
    ])
    const versions = await db
      .selectFrom('dictionaryVersions')
      .selectAll()
      .where('dictionaryId', '=', id)
      .execute()
    expect(versions).toMatchObject([
      { revision: 1, changedBy: test.administrator.id, change: { kind: 'created' } },
    ])
    expect(versions[0].fieldIds).toHaveLength(2)
  })

  it('reports every fault of every field at once and creates nothing', async () => {
    const before = await dictionaries()
    const { status, body } = await create({
      items: [
        text('Amount'),
        { itemName: '', ruleType: 99 },
        text(' amount'),
        { itemName: 'Born', ruleType: 2, ruleConfig: '{"format":"DD"}' },
        { itemName: 'Code', ruleType: 3, ruleConfig: '{"regularExpression":"(?=x)"}' },
        { itemName: 'Note', ruleType: 0, ruleConfig: '{"minLength":9,"maxLength":3}' },
        { itemName: 'Kind', ruleType: 4, ruleConfig: 'none' },
        { itemName: 'Size', ruleType: 1, ruleConfig: '{"format":"dd"}' },
      ],
    })
    expect(status).toBe(400)
    expect(body).toEqual([
      `Field 2: ${fieldMessages.nameRequired}`,
      `Field 2: ${fieldMessages.typeRequired}`,
      `Field 3, 'amount': ${fieldMessages.nameOfField('amount', 1)}`,
      `Field 4, 'Born': ${fieldMessages.dateFormatInvalid}`,
      expect.stringMatching(/^Field 5, 'Code': This regular expression cannot be used: /),
      `Field 6, 'Note': ${fieldMessages.minLengthAboveMaximum}`,
      `Field 6, 'Note': ${fieldMessages.maxLengthInvalid}`,
      `Field 7, 'Kind': ${fieldMessages.configInvalid}`,
      `Field 8, 'Size': ${fieldMessages.configInvalid}`,
    ])
    expect(await dictionaries()).toEqual(before)
  })

  it('reports the first problems of very many', async () => {
    const { body } = await create({
      items: Array.from({ length: dictionaryLimits.maxImportProblems + 7 }, () => text('')),
    })
    expect(body).toHaveLength(dictionaryLimits.maxImportProblems + 1)
    expect(body.at(-1)).toBe(dictionaryImportMessages.more(7))
  })

  it.for([
    { items: 'Amount', message: noticeMessages.invalidValue, why: 'no list' },
    {
      items: Array.from({ length: fileGuards.maxColumns + 1 }, () => ({})),
      message: fieldMessages.tooMany(fileGuards.maxColumns),
      why: 'more than a sheet has',
    },
  ])('refuses $why', async ({ items, message }) => {
    expect(await create({ items })).toEqual({ status: 400, body: { errors: { items: [message] } } })
  })

  it('creates nothing if the name is in use', async () => {
    const name = uniqueName()
    await create({ name })
    const rows = await test.deps.db.selectFrom('fields').select('id').execute()
    expect(await create({ name: name.toUpperCase(), items: [text('A')] })).toEqual({
      status: 409,
      body: { message: dictionaryMessages.duplicateName },
    })
    expect(await test.deps.db.selectFrom('fields').select('id').execute()).toEqual(rows)
  })

  it('creates as many as a sheet has columns', async () => {
    const { status } = await create({
      items: Array.from({ length: fileGuards.maxColumns }, (_, index) => text(`Column ${index}`)),
    })
    expect(status).toBe(201)
  })
})
