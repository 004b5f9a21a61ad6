import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCompany, buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

/** A call of the administrator: its status and its body. */
async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) {
  const reply = await test.call(method, url, { as: test.administrator, body })
  return { status: reply.statusCode, body: reply.json() }
}

const uniqueName = (lead = 'Claims') => `${lead} ${crypto.randomUUID()}`
const dictionaryRow = (id: number) =>
  test.deps.db.selectFrom('dictionaries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const fieldRows = (dictionaryId: number) =>
  test.deps.db
    .selectFrom('fields')
    .selectAll()
    .where('dictionaryId', '=', dictionaryId)
    .orderBy('position')
    .execute()

describe('Creating a dictionary', () => {
  it('returns 201 with its id', async () => {
    const name = uniqueName()
    const { status, body } = await call('POST', '/api/DataDictionary', { name: `  ${name} ` })
    expect([status, body]).toEqual([
      201,
      { value: { id: expect.any(Number) }, successMessage: dictionaryMessages.created },
    ])
    expect(await dictionaryRow(body.value.id)).toMatchObject({
      name,
      revision: 1,
      updatedBy: test.administrator.id,
    })
  })

  it.for([
    { name: '', message: dictionaryMessages.nameRequired },
    { name: undefined, message: dictionaryMessages.nameRequired },
    { name: 'x'.repeat(151), message: dictionaryMessages.nameTooLong },
    { name: 'a\0b', message: noticeMessages.invalidValue },
  ])('refuses the name $name', async ({ name, message }) => {
    const { status, body } = await call('POST', '/api/DataDictionary', { name })
    expect([status, body]).toEqual([400, { errors: { name: [message] } }])
  })

  it('accepts a name of 150 characters', async () => {
    expect((await call('POST', '/api/DataDictionary', { name: uniqueName().padEnd(150, 'x') })).status).toBe(
      201,
    )
  })

  it('refuses a name that another dictionary has in another letter case', async () => {
    await call('POST', '/api/DataDictionary', { name: 'Öffentliche Fälle' })
    const { status, body } = await call('POST', '/api/DataDictionary', { name: 'öFFENTLICHE FÄLLE' })
    expect([status, body]).toEqual([409, { message: dictionaryMessages.duplicateName }])
  })

  it('accepts exactly one of two parallel requests, in every round', async () => {
    for (let round = 0; round < 20; round++) {
      const create = (name: string) => call('POST', '/api/DataDictionary', { name })
      const replies = await Promise.all([create(`Twin ${round}`), create(`TWIN ${round}`)])
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})

describe('The list of dictionaries', () => {
  it('counts the fields', async () => {
    const dictionary = await buildDictionary(test.deps.db, { name: 'Listed 100%' })
    const { body } = await call('GET', '/api/DataDictionary?searchtext=LISTED%20100%25')
    expect(body.value).toEqual({
      data: [
        {
          id: dictionary.id,
          dataDictionaryName: 'Listed 100%',
          fieldsCount: 2,
          lastUpdated: dictionary.updatedAt.toISOString(),
        },
      ],
      totalPages: 1,
      totalCount: 1,
    })
  })

  it('is paged by name', async () => {
    for (const letter of ['c', 'A', 'b']) await buildDictionary(test.deps.db, { name: `Paged ${letter}` })
    const { body } = await call('GET', '/api/DataDictionary?SearchText=paged&PageSize=2&PageNumber=2')
    expect(body.value).toMatchObject({
      data: [{ dataDictionaryName: 'Paged c' }],
      totalPages: 2,
      totalCount: 3,
    })
  })
})

describe('Reading a dictionary', () => {
  it('returns its name, its last change and an ETag', async () => {
    const { id, name, updatedAt } = await buildDictionary(test.deps.db)
    const lastUpdated = updatedAt.toISOString()
    const { value } = (await call('GET', `/api/DataDictionary/${id}`)).body
    expect(value).toEqual({
      id,
      name,
      lastUpdated,
      updatedBy: null,
      companies: [],
      version: expect.any(String),
    })
  })

  it('says what was not found', async () => {
    const missing = await call('GET', '/api/DataDictionary/2147483647')
    expect(missing).toEqual({ status: 404, body: { message: 'Data dictionary not found.' } })
  })
})

describe('Renaming a dictionary', () => {
  const rename = (id: number | string, body: object) => call('PUT', `/api/DataDictionary?id=${id}`, body)

  it('saves the name as a new revision', async () => {
    const { id, revision } = await buildDictionary(test.deps.db)
    const name = uniqueName()
    const { status, body } = await rename(id, { name })
    expect([status, body]).toEqual([200, { value: { id }, successMessage: dictionaryMessages.saved }])
    expect(await dictionaryRow(id)).toMatchObject({
      name,
      revision: revision + 1,
      updatedBy: test.administrator.id,
    })
  })

  it('needs a name, an id and a dictionary', async () => {
    const { id } = await buildDictionary(test.deps.db)
    expect((await rename(id, { name: ' ' })).body).toEqual({
      errors: { name: [dictionaryMessages.renameRequired] },
    })
    expect((await rename('', { name: 'x' })).status).toBe(400)
    expect((await call('PUT', '/api/DataDictionary', { name: 'x' })).status).toBe(400)
    expect((await rename(2_147_483_647, { name: 'x' })).status).toBe(404)
  })

  it('refuses the name of another dictionary, and accepts its own in another letter case', async () => {
    const [mine, other] = [await buildDictionary(test.deps.db), await buildDictionary(test.deps.db)]
    expect(await rename(mine.id, { name: other.name.toUpperCase() })).toEqual({
      status: 409,
      body: { message: dictionaryMessages.duplicateName },
    })
    expect((await rename(mine.id, { name: mine.name.toUpperCase() })).status).toBe(200)
  })

  it('refuses to overwrite the name that another administrator gave since it was read', async () => {
    const { id } = await buildDictionary(test.deps.db)
    const { version } = (await call('GET', `/api/DataDictionary/${id}`)).body.value
    expect((await rename(id, { name: uniqueName(), version })).status).toBe(200)
    const late = await rename(id, { name: uniqueName(), version })
    expect([late.status, late.body]).toEqual([409, { message: noticeMessages.changedMeanwhile }])
  })

  it('accepts a new name although the fields changed since it was read', async () => {
    const { id } = await buildDictionary(test.deps.db)
    const { version } = (await call('GET', `/api/DataDictionary/${id}`)).body.value
    await test.deps.db.deleteFrom('fields').where('dictionaryId', '=', id).execute()
    expect((await rename(id, { name: uniqueName(), version })).status).toBe(200)
  })
})

describe('Deleting a dictionary', () => {
  it('removes it from its companies, frees its name, and keeps fields and versions', async () => {
    const company = await buildCompany(test.deps.db)
    const { id, name } = await buildDictionary(test.deps.db, { companyId: company.id })
    const { status, body } = await call('DELETE', `/api/DataDictionary/${id}`)
    expect([status, body]).toEqual([200, { value: { message: dictionaryMessages.deleted } }])
    const associations = test.deps.db
      .selectFrom('companyDictionaries')
      .selectAll()
      .where('dictionaryId', '=', id)
    expect(await associations.execute()).toEqual([])
    expect((await dictionaryRow(id)).deletedAt).not.toBeNull()
    expect(await fieldRows(id)).toHaveLength(2)
    expect((await call('POST', '/api/DataDictionary', { name })).status).toBe(201)
  })

  it('returns 404 for everything about it afterwards', async () => {
    const { id, fieldIds } = await buildDictionary(test.deps.db)
    await call('DELETE', `/api/DataDictionary/${id}`)
    const replies = [
      await call('GET', `/api/DataDictionary/${id}`),
      await call('PUT', `/api/DataDictionary?id=${id}`, { name: uniqueName() }),
      await call('DELETE', `/api/DataDictionary/${id}`),
      await call('POST', `/api/DataDictionary/copy/${id}`, { name: uniqueName() }),
      await call('GET', `/api/DataDictionary/${id}/Export`),
      await call('GET', `/api/DataDictionary/${id}/Item`),
      await call('DELETE', `/api/DataDictionary/${id}/Item/${fieldIds[0]}`),
    ]
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
  })
})

describe('Copying a dictionary', () => {
  const copy = (id: number, name: unknown) => call('POST', `/api/DataDictionary/copy/${id}`, { name })

  it('copies the fields and not the companies', async () => {
    const company = await buildCompany(test.deps.db)
    const original = await buildDictionary(test.deps.db, { companyId: company.id })
    const { status, body } = await copy(original.id, uniqueName())
    expect([status, body.successMessage]).toEqual([201, dictionaryMessages.created])
    const content = async (id: number) =>
      (await fieldRows(id)).map((field) => [
        field.position,
        field.nameKey,
        field.name,
        field.description,
        field.category,
        field.required,
        field.ruleType,
        field.ruleConfig,
      ])
    expect(await content(body.value.id)).toEqual(await content(original.id))
    const associations = test.deps.db
      .selectFrom('companyDictionaries')
      .selectAll()
      .where('dictionaryId', '=', body.value.id)
    expect(await associations.execute()).toEqual([])
  })

  it('needs a name of its own and a dictionary', async () => {
    const { id, name } = await buildDictionary(test.deps.db)
    expect(await copy(id, '')).toEqual({
      status: 400,
      body: { errors: { name: [dictionaryMessages.copyNameRequired] } },
    })
    expect(await copy(id, name.toUpperCase())).toEqual({
      status: 409,
      body: { message: dictionaryMessages.duplicateName },
    })
    expect((await copy(2_147_483_647, uniqueName())).status).toBe(404)
  })

  it('accepts exactly one of two parallel copies with one name, in every round', async () => {
    const { id } = await buildDictionary(test.deps.db)
    for (let round = 0; round < 20; round++) {
      const replies = await Promise.all([copy(id, `Copy ${round}`), copy(id, `COPY ${round}`)])
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})
