import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildCompany, buildDictionary, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const list = (...optionSetValues: string[]) => ({
  ruleType: ruleNumbers.list,
  ruleConfig: { optionSetValues },
})
const date = { ruleType: ruleNumbers.date, ruleConfig: { format: 'dd/MM/yyyy' } }
const mapped = { column: 'State', kind: 'notInList', map: { Offen: 'Open', Zu: 'Closed' } }
const question = 'Are these dates written day first or month first?'
const dayFirst = { column: 'Born', kind: 'dateOrder', question, choice: 'dayFirst' }

let dictionary: Awaited<ReturnType<typeof buildDictionary>>
let path = ''
beforeEach(async () => {
  dictionary = await buildDictionary(test.deps.db, {
    companyId: test.clerk.companyId!,
    fields: [
      { itemName: 'State', ...list('Open', 'Closed') },
      { itemName: 'Born', ...date },
    ],
  })
  path = `/api/DataDictionary/${dictionary.id}/Answers`
})

/** Some 500 characters each. */
const mapOf = (texts: number, text: string) =>
  Object.fromEntries(Array.from({ length: texts }, (_, at) => [`${text} ${at} `.padEnd(490), 'Open']))

const remember = async (body: object) =>
  (await test.call('PUT', path, { as: test.clerk, body })).json().value.id as number
const answers = async (as = test.clerk) => (await test.call('GET', path, { as })).json().value
const change = (column: number, body: object) =>
  test.call('PUT', `/api/DataDictionary/Item/${dictionary.fieldIds[column]}`, {
    as: test.administrator,
    body: { dataDictionaryId: dictionary.id, description: '', category: '', isRequired: true, ...body },
  })
const wireRule = ({ ruleType, ruleConfig }: { ruleType: number; ruleConfig: object }) => ({
  ruleType,
  ruleConfig: JSON.stringify(ruleConfig),
})

describe('A remembered answer', () => {
  it('is listed, is replaced by the next one, and a map grows', async () => {
    const id = await remember(mapped)
    await remember({ ...dayFirst, choice: 'monthFirst' })
    const second = await remember(dayFirst)
    expect(await remember({ ...mapped, map: { Zu: 'Open', Neu: 'Open' } })).toBe(id)
    expect(await answers()).toEqual([
      { id, ...mapped, map: { Offen: 'Open', Zu: 'Open', Neu: 'Open' } },
      { id: second, ...dayFirst },
    ])
  })

  it('has no more texts than a report can read, the newest ones', async () => {
    for (const text of ['Offen', 'Neu']) await remember({ ...mapped, map: mapOf(100, text) })
    expect((await answers())[0].map).toEqual(mapOf(100, 'Neu'))
  })

  it('is forgotten', async () => {
    const id = await remember(mapped)
    expect((await test.call('DELETE', `${path}/${id}`, { as: test.clerk })).statusCode).toBe(200)
    expect(await answers()).toEqual([])
    expect((await test.call('DELETE', `${path}/${id}`, { as: test.clerk })).statusCode).toBe(404)
  })

  it('follows a renamed field, outlives its item and rule, and ends with its field', async () => {
    await remember(mapped)
    const id = await remember(dayFirst)
    const renamed = { itemName: 'Status', ...wireRule(list('Open', 'Done')) }
    expect((await change(0, renamed)).statusCode).toBe(200)
    await change(1, { itemName: 'Born', ruleType: ruleNumbers.text, ruleConfig: '{}' })
    expect(await answers()).toMatchObject([{ ...mapped, column: 'Status' }, dayFirst])
    expect((await test.call('DELETE', `${path}/${id}`, { as: test.clerk })).statusCode).toBe(200)
    expect(await answers()).toMatchObject([{ column: 'Status' }])
    const field = `/api/DataDictionary/${dictionary.id}/Item/${dictionary.fieldIds[0]}`
    expect((await test.call('DELETE', field, { as: test.administrator })).statusCode).toBe(200)
    expect(await answers()).toEqual([])
  })

  it('is seen and changed by its company alone, and ends with its right to the dictionary', async () => {
    const id = await remember(mapped)
    const { id: companyId } = await buildCompany(test.deps.db)
    const other = await buildUser(test.deps.db, { companyId })
    const association = { companyId, dataDictionaryId: dictionary.id }
    const associate = (body: object) =>
      test.call('POST', '/api/Company/datadictionary', { as: test.administrator, body })
    expect((await test.call('GET', path, { as: other })).statusCode).toBe(404)
    expect((await test.call('PUT', path, { as: other, body: mapped })).statusCode).toBe(404)
    await associate(association)
    expect(await answers(other)).toEqual([])
    expect((await test.call('DELETE', `${path}/${id}`, { as: other })).statusCode).toBe(404)
    expect(await answers()).toHaveLength(1)

    const own = { companyId: test.clerk.companyId, dataDictionaryId: dictionary.id }
    const removed = `/api/Company/${own.companyId}/datadictionary/${dictionary.id}`
    await test.call('DELETE', removed, { as: test.administrator })
    await associate(own)
    expect(await answers()).toEqual([])
  })

  it('is deleted with its company', async () => {
    const { id: companyId } = await buildCompany(test.deps.db)
    const as = await buildUser(test.deps.db, { companyId })
    const { id } = await buildDictionary(test.deps.db, { companyId, fields: [{ itemName: 'State' }] })
    await test.call('PUT', `/api/DataDictionary/${id}/Answers`, { as, body: mapped })
    const rows = test.deps.db.selectFrom('rememberedAnswers').where('companyId', '=', companyId).selectAll()
    expect(await rows.execute()).toHaveLength(1)
    await test.call('DELETE', `/api/Company/${companyId}`, { as: test.administrator })
    expect(await rows.execute()).toEqual([])
  })

  it.for([
    { why: 'another column', body: { ...mapped, column: 'Nothing' }, status: 404 },
    { why: 'another kind', body: { ...mapped, kind: 'required' }, status: 400 },
    { why: 'a kind of the structure for a column', body: { ...mapped, kind: 'columnsRenamed' }, status: 400 },
    { why: 'a kind of cells for the structure', body: { ...mapped, column: null }, status: 400 },
    { why: 'a map that is too long', body: { ...mapped, map: mapOf(140, 'Neu') }, status: 400 },
    { why: 'NUL', body: { ...mapped, map: { '\0': 'Open' } }, status: 400 },
  ])('is refused with $why', async ({ body, status }) => {
    expect((await test.call('PUT', path, { as: test.clerk, body })).statusCode).toBe(status)
  })

  it('stands at its cause in the next report, and changes nothing in the file', async () => {
    await remember(mapped)
    const content = 'State,Born\nOffen,01/02/2020\nNeu,01/02/2020\n'
    const form = await uploadForm(['dataDictionaryId', `${dictionary.id}`], ['file', content, 'may.csv'])
    const { id } = (await test.call('POST', '/api/FileSubmission', { as: test.clerk, ...form })).json().value
    await validateSubmission(id, test.deps, new AbortController().signal)
    const report = (await test.call('GET', `/api/FileSubmission/${id}/Errors`, { as: test.clerk })).json()
    expect(report.value).toMatchObject({
      cellErrorCount: 2,
      causes: [{ kind: 'notInList', remembered: { Offen: 'Open' } }],
    })
  })
})
