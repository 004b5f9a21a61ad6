import { fieldFromReply, fieldToWire, ruleNumbers } from '@veridict/contract/api/wire-field'
import { everyField } from '@veridict/contract/test/every-field'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary, buildSubmission, buildUser, findPresentVersionId } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const read = (id: number, as: TestApp['clerk']) =>
  test.call('GET', `/api/DataDictionary/${id}/ForChecking`, { as })
const build = (companyId?: number | null) =>
  buildDictionary(test.deps.db, { companyId: companyId ?? undefined })

describe('What a browser needs to check a file', () => {
  it('is the fields of the dictionary, in order, and the year of the clock of the server', async () => {
    const { id, name } = await build(test.clerk.companyId)
    const { clock } = test.deps
    test.deps.clock = { now: () => new Date(Date.UTC(2031, 5, 1, 12)) }
    const reply = await read(id, test.clerk)
    test.deps.clock = clock
    expect(reply.statusCode).toBe(200)
    const content = { description: '', category: '', identifiesRow: false }
    expect(reply.json().value).toEqual({
      id,
      name,
      currentYear: 2031,
      today: '2031-06-01',
      rules: [],
      exempt: null,
      blankTexts: [],
      lists: [],
      fields: [
        {
          ...content,
          columnName: 'Name',
          ruleType: ruleNumbers.text,
          isRequired: true,
          ruleConfigJson: '{}',
          position: 1,
        },
        {
          ...content,
          columnName: 'Amount',
          ruleType: ruleNumbers.number,
          isRequired: false,
          ruleConfigJson: '{"scale":2}',
          position: 2,
        },
      ],
    })
  })

  it('has the same fields for the engine as the server validates by, with every option', async () => {
    const wire = everyField.map(fieldToWire)
    const { id } = await buildDictionary(test.deps.db, { companyId: test.clerk.companyId!, fields: wire })
    const { fields } = (await read(id, test.clerk)).json().value
    expect(fields.map(fieldFromReply)).toEqual(everyField)
  })

  it('counts as a download if it is long', async () => {
    const options = Array.from({ length: 30_000 }, (_, index) => `Option ${index}`)
    const ruleConfig = { optionSetValues: options }
    const long = { itemName: 'Kind', ruleType: ruleNumbers.list, ruleConfig }
    const [{ id }, short] = [
      await buildDictionary(test.deps.db, { companyId: test.clerk.companyId!, fields: [long] }),
      await build(test.clerk.companyId),
    ]
    const { downloads } = test.deps.limits
    const frees = [1, 2, 3, 4].map(() => downloads.enterNow(String(test.clerk.id)))
    expect((await read(id, test.clerk)).statusCode).toBe(429)
    expect((await read(short.id, test.clerk)).statusCode).toBe(200)
    frees.forEach((free) => free())
    await expect.poll(async () => (await read(id, test.clerk)).statusCode).toBe(200)
    const [field] = (await read(id, test.clerk)).json().value.fields
    expect(fieldFromReply(field).rule).toEqual({ type: 'list', options })
  })

  it('is 404 for clerks of other companies, as if the dictionary did not exist', async () => {
    const { id } = await build(test.clerk.companyId)
    const otherUser = await buildUser(test.deps.db)
    const [foreign, missing] = [await read(id, otherUser), await read(2_147_483_647, otherUser)]
    expect(foreign.statusCode).toBe(404)
    expect(foreign.json()).toEqual(missing.json())
  })

  it('is 404 after the dictionary was dissociated or deleted', async () => {
    const { companyId } = test.clerk
    const [removed, deleted] = [await build(companyId), await build(companyId)]
    const as = test.administrator
    await test.call('DELETE', `/api/Company/${companyId}/datadictionary/${removed.id}`, { as })
    await test.call('DELETE', `/api/DataDictionary/${deleted.id}`, { as })
    expect((await read(removed.id, test.clerk)).statusCode).toBe(404)
    expect((await read(deleted.id, test.clerk)).statusCode).toBe(404)
  })

  it('is, with a submission, what that one was validated by, for those alone who may see it', async () => {
    const dictionary = await build(test.clerk.companyId)
    const versionId = await findPresentVersionId(test.deps.db, dictionary)
    const createdAt = new Date(Date.UTC(2025, 11, 31, 12))
    const given = { userId: test.clerk.id, companyId: test.clerk.companyId! }
    const submission = { ...given, dictionaryVersionId: versionId, createdAt }
    const { id } = await buildSubmission(test.deps.db, submission)
    const as = test.administrator
    await test.call('DELETE', `/api/DataDictionary/${dictionary.id}/Item/${dictionary.fieldIds[1]}`, { as })
    await test.call('DELETE', `/api/Company/${given.companyId}/datadictionary/${dictionary.id}`, { as })
    const readOf = (submissionId: number, reader = test.clerk, of = dictionary.id) =>
      test.call('GET', `/api/DataDictionary/${of}/ForChecking?submission=${submissionId}`, { as: reader })
    const { value } = (await readOf(id)).json()
    expect(value).toMatchObject({ id: dictionary.id, currentYear: 2025, today: '2025-12-31' })
    expect(value.fields).toHaveLength(2)
    const colleague = await buildUser(test.deps.db, { companyId: given.companyId })
    expect((await readOf(id, colleague)).statusCode).toBe(200)
    const other = await build(given.companyId)
    const otherClerk = await buildUser(test.deps.db)
    const refused = [
      await readOf(id, test.clerk, other.id),
      await readOf(id, otherClerk),
      await readOf(id + 999),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  })
})
