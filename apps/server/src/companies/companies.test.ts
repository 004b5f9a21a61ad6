import { companyMessages } from '@veridict/contract/messages/companies'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCompany, buildDictionary, buildSubmission, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A call of the administrator: its status and its body. */
async function call(method: Method, url: string, body?: unknown) {
  const reply = await test.call(method, url, { as: test.administrator, body })
  return { status: reply.statusCode, body: reply.json() }
}

const form = (given: object = {}) => {
  const tag = crypto.randomUUID().slice(0, 8)
  return { name: `Acme ${tag}`, containerName: `acme-${tag}`, address: 'Main Street 1', ...given }
}

describe('Creating a company', () => {
  it('returns 201 with its id', async () => {
    const { status, body } = await call('POST', '/api/Company', form())
    expect(status).toBe(201)
    expect(body).toEqual({ value: { id: expect.any(Number) }, successMessage: companyMessages.created })
  })

  it.for([
    { given: { name: ' ' }, field: 'name', message: companyMessages.nameRequired, why: 'a name is needed' },
    {
      given: { name: undefined },
      field: 'name',
      message: companyMessages.nameRequired,
      why: 'a missing name is an empty one',
    },
    {
      given: { name: 'x'.repeat(255) },
      field: 'name',
      message: noticeMessages.tooLong(254),
      why: 'a name has a length',
    },
    {
      given: { containerName: '' },
      field: 'containerName',
      message: companyMessages.storageFolderRequired,
      why: 'a folder is needed',
    },
    ...[
      { containerName: '../x', why: 'no way up' },
      { containerName: '/etc', why: 'no root' },
      { containerName: 'a/../../b', why: 'one segment' },
      { containerName: '.', why: 'no dot alone' },
      { containerName: 'a\0b', why: 'no NUL' },
      { containerName: 'a'.repeat(300), why: 'a segment has a length' },
      { containerName: 'NUL', why: 'Windows reserves device names' },
    ].map(({ containerName, why }) => ({
      given: { containerName },
      field: 'containerName',
      message: companyMessages.storageFolderInvalid,
      why,
    })),
  ])('refuses $field where $why', async ({ given, field, message }) => {
    const { status, body } = await call('POST', '/api/Company', form(given))
    expect(status).toBe(400)
    expect(body.errors[field]).toEqual([message])
  })

  it('refuses a name that another company has in another letter case', async () => {
    const first = form({ name: 'Ärzte Zürich' })
    await call('POST', '/api/Company', first)
    const { status, body } = await call('POST', '/api/Company', form({ name: 'äRZTE ZÜRICH' }))
    expect([status, body]).toEqual([409, { message: companyMessages.duplicateName }])
  })

  it('refuses a storage folder that another company has in another letter case', async () => {
    const first = form()
    await call('POST', '/api/Company', first)
    const { status, body } = await call(
      'POST',
      '/api/Company',
      form({ containerName: first.containerName.toUpperCase() }),
    )
    expect([status, body]).toEqual([409, { message: companyMessages.duplicateStorageFolder }])
  })

  it('accepts exactly one of two parallel requests, in every round', async () => {
    for (let round = 0; round < 20; round++) {
      const same = form({ name: `Twins ${round}` })
      const replies = await Promise.all([
        call('POST', '/api/Company', same),
        call('POST', '/api/Company', {
          ...same,
          name: same.name.toUpperCase(),
          containerName: `other-${round}`,
        }),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})

describe('A proposed storage folder', () => {
  const proposed = async (name: string) => {
    const query = new URLSearchParams({ name })
    return (await call('GET', `/api/Company/StorageFolder?${query}`)).body.value.containerName
  }

  it.for([
    { name: 'Müller & Söhne GmbH', folder: 'muller-sohne-gmbh' },
    { name: " O'Neill, Straße 12 ", folder: 'oneill-strasse-12' },
    { name: '../Łódź', folder: 'lodz' },
    { name: 'CON', folder: 'con-2' },
    { name: '株式会社', folder: '' },
    { name: 'a'.repeat(89) + ' b', folder: 'a'.repeat(89) },
  ])('is one folder name: $folder', async ({ name, folder }) => expect(await proposed(name)).toBe(folder))

  it('is no folder that a company has or had', async () => {
    const folder = form().containerName
    await buildCompany(test.deps.db, { storageFolder: folder.toUpperCase() })
    await buildCompany(test.deps.db, { storageFolder: `${folder}-2`, deletedAt: new Date() })
    await buildCompany(test.deps.db, { storageFolder: `${folder}-30` })
    expect(await proposed(folder)).toBe(`${folder}-3`)
    expect((await call('POST', '/api/Company', form({ containerName: `${folder}-3` }))).status).toBe(201)
  })
})

describe('The list of companies', () => {
  it('counts users and dictionaries that are not deleted', async () => {
    const company = await buildCompany(test.deps.db, { name: 'Counted & Sons' })
    await buildUser(test.deps.db, { companyId: company.id })
    await buildUser(test.deps.db, { companyId: company.id, deletedAt: new Date() })
    await buildDictionary(test.deps.db, { companyId: company.id })
    await buildDictionary(test.deps.db, { companyId: company.id })
    const { body } = await call('GET', '/api/Company?SearchText=counted%20%26')
    expect(body.value).toEqual({
      data: [
        {
          companyId: company.id,
          companyName: 'Counted & Sons',
          containerName: company.storageFolder,
          address: 'Main Street 1',
          userCount: 1,
          dataDictionaryCount: 2,
          lastUpdated: company.updatedAt.toISOString(),
        },
      ],
      totalPages: 1,
      totalCount: 1,
    })
  })

  it.for([
    { search: '%', names: ['50% Off'] },
    { search: '_', names: ['a_b'] },
    { search: '\\', names: ['back\\slash'] },
    { search: "'", names: ["O'Neill"] },
    { search: 'OFF', names: ['50% Off'] },
    { search: "'; DROP TABLE companies;--", names: [] },
  ])('takes $search literally', async ({ search, names }) => {
    for (const name of ['50% Off', 'a_b', 'back\\slash', "O'Neill"])
      await call('POST', '/api/Company', form({ name }))
    const { status, body } = await call(
      'GET',
      `/api/Company?PageSize=100&searchtext=${encodeURIComponent(search)}`,
    )
    expect(status).toBe(200)
    const wanted = ['50% Off', 'a_b', 'back\\slash', "O'Neill"]
    const found = body.value.data
      .map((item: { companyName: string }) => item.companyName)
      .filter((name: string) => wanted.includes(name))
    expect(found).toEqual(names)
  })

  it('is paged by name, and a page after the end is empty', async () => {
    for (const letter of ['c', 'A', 'b'])
      await call('POST', '/api/Company', form({ name: `Paged ${letter}` }))
    const page = async (number: number) =>
      (await call('GET', `/api/Company?SearchText=paged&PageSize=2&PageNumber=${number}`)).body.value
    const names = ({ data }: { data: { companyName: string }[] }) =>
      data.map(({ companyName }) => companyName)
    expect(names(await page(1))).toEqual(['Paged A', 'Paged b'])
    expect(names(await page(2))).toEqual(['Paged c'])
    expect(await page(3)).toEqual({ data: [], totalPages: 2, totalCount: 3 })
  })

  it.for([
    'SearchText=%00',
    'PageSize=0',
    'PageSize=-1',
    'PageSize=100001',
    'PageSize=abc',
    'PageNumber=0',
    'PageNumber=1e308',
  ])('refuses %s', async (query) => {
    expect((await call('GET', `/api/Company?${query}`)).status).toBe(400)
  })
})

describe('Reading a company', () => {
  it('returns its data with an ETag', async () => {
    const given = form()
    const { body } = await call('POST', '/api/Company', given)
    const read = await call('GET', `/api/Company/${body.value.id}`)
    expect(read.body.value).toEqual({
      companyName: given.name,
      containerName: given.containerName,
      pausedAt: null,
      address: given.address,
      version: expect.any(String),
    })
  })

  it.for(['2147483647', '0', '-1', '99999999999999999999', 'NaN', '0x1', '1e0', '%201', "1'--", '%00'])(
    'returns 400 or 404 for the id %s',
    async (id) => {
      for (const path of [id, `${id}/users`, `${id}/datadictionaries`]) {
        expect([400, 404]).toContain((await call('GET', `/api/Company/${path}`)).status)
      }
    },
  )

  it('says what was not found', async () => {
    expect(await call('GET', '/api/Company/2147483647')).toEqual({
      status: 404,
      body: { message: 'Company not found.' },
    })
  })
})

describe('Changing a company', () => {
  it('saves all values', async () => {
    const company = await buildCompany(test.deps.db)
    const given = form({ address: null })
    const { status, body } = await call('PUT', `/api/Company/${company.id}`, given)
    expect([status, body]).toEqual([
      200,
      { value: { id: company.id }, successMessage: companyMessages.saved },
    ])
    const read = await call('GET', `/api/Company/${company.id}`)
    expect(read.body.value).toMatchObject({
      companyName: given.name,
      containerName: given.containerName,
      address: '',
    })
  })

  it('refuses name and folder of another company, and accepts its own', async () => {
    const [company, other] = [await buildCompany(test.deps.db), await buildCompany(test.deps.db)]
    const change = (given: object) => call('PUT', `/api/Company/${company.id}`, form(given))
    expect((await change({ name: other.name.toUpperCase() })).body).toEqual({
      message: companyMessages.duplicateName,
    })
    expect((await change({ containerName: other.storageFolder })).body).toEqual({
      message: companyMessages.duplicateStorageFolder,
    })
    expect((await change({ name: company.name, containerName: company.storageFolder })).status).toBe(200)
  })

  it('keeps the storage folder once a file was ingested into it', async () => {
    const company = await buildCompany(test.deps.db)
    const change = (given: object) => call('PUT', `/api/Company/${company.id}`, form(given))
    await buildSubmission(test.deps.db, { companyId: company.id, status: SubmissionStatus.ValidationFailed })
    expect((await change({ containerName: 'still-free-to-move' })).status).toBe(200)
    await buildSubmission(test.deps.db, {
      companyId: company.id,
      status: SubmissionStatus.IngestionSuccess,
      targetPath: 'still-free-to-move/1',
    })
    const refused = await change({ containerName: 'moved-again' })
    expect([refused.status, refused.body]).toEqual([409, { message: companyMessages.storageFolderInUse }])
    expect((await change({ containerName: 'Still-free-to-move' })).status).toBe(409)
    expect((await change({ containerName: 'still-free-to-move' })).status).toBe(200)
  })

  it('refuses to overwrite what another administrator changed since it was read', async () => {
    const company = await buildCompany(test.deps.db)
    const { version } = (await call('GET', `/api/Company/${company.id}`)).body.value
    const change = (given: object) => call('PUT', `/api/Company/${company.id}`, form(given))
    expect((await change({ version })).status).toBe(200)
    const late = await change({ version })
    expect([late.status, late.body]).toEqual([409, { message: noticeMessages.changedMeanwhile }])
    expect((await change({})).status).toBe(200)
  })

  it('accepts exactly one of two parallel changes with the same ETag', async () => {
    const company = await buildCompany(test.deps.db)
    for (let round = 0; round < 20; round++) {
      const { version } = (await call('GET', `/api/Company/${company.id}`)).body.value
      const change = () => call('PUT', `/api/Company/${company.id}`, form({ version }))
      const replies = await Promise.all([change(), change()])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  it('returns 404 for a company that does not exist', async () => {
    expect((await call('PUT', '/api/Company/2147483647', form())).status).toBe(404)
  })
})

describe('Deleting a company', () => {
  it('ends its users and their sessions, and closes their sockets', async () => {
    const clerk = await buildUser(test.deps.db)
    const token = await test.tokenOf(clerk)
    const { status, body } = await call('DELETE', `/api/Company/${clerk.companyId}`)
    expect([status, body]).toEqual([200, { value: { message: companyMessages.deleted } }])
    const user = await test.deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', clerk.id)
      .executeTakeFirstOrThrow()
    const sessions = await test.deps.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', clerk.id)
      .execute()
    expect(user.deletedAt).not.toBeNull()
    expect(sessions.map(({ endedAt }) => endedAt)).toEqual([expect.any(Date)])
    expect(test.events).toContainEqual({ userId: clerk.id })
    expect((await test.call('GET', '/api/Company', { as: token })).statusCode).toBe(401)
  })

  it('frees the name, but not the storage folder', async () => {
    const given = form()
    const { body } = await call('POST', '/api/Company', given)
    await call('DELETE', `/api/Company/${body.value.id}`)
    const again = await call('POST', '/api/Company', given)
    expect([again.status, again.body]).toEqual([409, { message: companyMessages.duplicateStorageFolder }])
    expect((await call('POST', '/api/Company', form({ name: given.name }))).status).toBe(201)
  })

  it('returns 404 for everything about it afterwards', async () => {
    const company = await buildCompany(test.deps.db)
    const path = `/api/Company/${company.id}`
    await call('DELETE', path)
    const replies = [
      await call('GET', path),
      await call('PUT', path, form()),
      await call('DELETE', path),
      await call('GET', `${path}/users`),
      await call('GET', `${path}/datadictionaries`),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })
})

describe('The users of a company', () => {
  it('are its own, found by name and e-mail, without deleted ones', async () => {
    const company = await buildCompany(test.deps.db)
    const anna = await buildUser(test.deps.db, {
      companyId: company.id,
      name: 'Anna',
      email: 'a@north.test',
      phone: '',
    })
    await buildUser(test.deps.db, { companyId: company.id, name: 'Zoe', email: 'z@south.test' })
    await buildUser(test.deps.db, {
      companyId: company.id,
      name: 'Gone',
      email: 'g@north.test',
      deletedAt: new Date(),
    })
    const users = async (search: string) =>
      (await call('GET', `/api/Company/${company.id}/users?SearchText=${search}`)).body.value
    expect(await users('NORTH')).toEqual({
      data: [
        { id: anna.id, userName: 'Anna', email: 'a@north.test', phone: '', version: expect.any(String) },
      ],
      totalPages: 1,
      totalCount: 1,
    })
    expect((await users('')).data.map((user: { userName: string }) => user.userName)).toEqual(['Anna', 'Zoe'])
    expect((await users('zo')).totalCount).toBe(1)
  })

  it('have an ETag that an update accepts', async () => {
    const { id, companyId } = await buildUser(test.deps.db)
    const [{ version }] = (await call('GET', `/api/Company/${companyId}/users`)).body.value.data
    const change = (name: string) =>
      call('PUT', `/api/User/${id}`, { id, name, email: `${id}@north.test`, phone: '', version })
    expect([(await change('Anna')).status, (await change('Berta')).status]).toEqual([200, 409])
  })
})

describe('The dictionaries of a company', () => {
  it('can be associated, listed and dissociated', async () => {
    const company = await buildCompany(test.deps.db)
    const dictionary = await buildDictionary(test.deps.db)
    const pair = { companyId: company.id, dataDictionaryId: dictionary.id }
    const list = async () => (await call('GET', `/api/Company/${company.id}/datadictionaries`)).body.value
    const associated = await call('POST', '/api/Company/datadictionary', pair)
    expect([associated.status, associated.body]).toEqual([
      200,
      { value: { message: companyMessages.associated } },
    ])
    expect(await list()).toEqual([{ id: dictionary.id, name: dictionary.name, fieldCount: 2 }])
    const removed = await call('DELETE', `/api/Company/${company.id}/datadictionary/${dictionary.id}`)
    expect([removed.status, removed.body]).toEqual([200, { value: { message: companyMessages.dissociated } }])
    expect(await list()).toEqual([])
    expect((await call('DELETE', `/api/Company/${company.id}/datadictionary/${dictionary.id}`)).status).toBe(
      404,
    )
  })

  it('are associated once, even by parallel requests', async () => {
    const company = await buildCompany(test.deps.db)
    for (let round = 0; round < 20; round++) {
      const { id } = await buildDictionary(test.deps.db)
      const associate = () =>
        call('POST', '/api/Company/datadictionary', { companyId: company.id, dataDictionaryId: id })
      const replies = await Promise.all([associate(), associate()])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(replies.find(({ status }) => status === 409)?.body).toEqual({
        message: companyMessages.alreadyAssociated,
      })
    }
  })

  it('need a selection, a company and a dictionary that exist', async () => {
    const company = await buildCompany(test.deps.db)
    const { id } = await buildDictionary(test.deps.db)
    const associate = (body: object) => call('POST', '/api/Company/datadictionary', body)
    const none = await associate({ companyId: company.id })
    expect([none.status, none.body.errors.dataDictionaryId]).toEqual([
      400,
      [companyMessages.selectDictionary],
    ])
    expect((await associate({ companyId: company.id, dataDictionaryId: 2_147_483_647 })).body.message).toBe(
      'Data dictionary not found.',
    )
    expect((await associate({ companyId: 2_147_483_647, dataDictionaryId: id })).body.message).toBe(
      'Company not found.',
    )
  })
})
