import { runs } from '@veridict/engine/test/runs'
import fc from 'fast-check'
import type { VersionItem } from '@veridict/contract/api/dictionary-versions'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAdministrator, buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { uploadForm } from '#test/upload-form.ts'

let test: TestApp
let ada: TestApp['administrator']
beforeAll(async () => {
  test = await createTestApp()
  ada = await buildAdministrator(test.deps.db, { name: 'Ada Admin' })
})
afterAll(() => test.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A call of Ada's: its status and its body. */
async function call(method: Method, url: string, body?: unknown) {
  const reply = await test.call(method, url, { as: ada, body })
  return { status: reply.statusCode, body: reply.json() }
}

const uniqueName = () => `Claims ${crypto.randomUUID()}`
const historyOf = async (id: number): Promise<VersionItem[]> =>
  (await call('GET', `/api/DataDictionary/${id}/Version`)).body.value.data
const versionOf = async (id: number, revision: number) =>
  (await call('GET', `/api/DataDictionary/${id}/Version/${revision}`)).body.value
const text = (itemName: string, given: object = {}) => ({ itemName, ruleType: ruleNumbers.text, ...given })

describe('The history of a dictionary begins', () => {
  it('when it is created', async () => {
    const { id } = (await call('POST', '/api/DataDictionary', { name: 'Begun' })).body.value
    expect(await historyOf(id)).toEqual([
      {
        revision: 1,
        name: 'Begun',
        changedAt: expect.any(String),
        changedBy: 'Ada Admin',
        change: 'Created',
        fieldCount: 0,
      },
    ])
  })

  it('when it is copied, with its fields', async () => {
    const original = await buildDictionary(test.deps.db, { name: 'Original' })
    const { id } = (await call('POST', `/api/DataDictionary/copy/${original.id}`, { name: uniqueName() }))
      .body.value
    expect(await historyOf(id)).toMatchObject([
      { revision: 1, change: "Copied from 'Original' with 2 fields", fieldCount: 2, changedBy: 'Ada Admin' },
    ])
    expect((await versionOf(id, 1)).fields).toEqual((await versionOf(original.id, 1)).fields)
  })

  it('when it is imported', async () => {
    const original = await buildDictionary(test.deps.db)
    const workbook = await test.call('GET', `/api/DataDictionary/${original.id}/Export`, { as: ada })
    const form = await uploadForm(['name', uniqueName()], ['file', workbook.rawPayload, 'claims of May.xlsx'])
    const reply = await test.call('POST', '/api/DataDictionary/Import', { as: ada, ...form })
    expect(await historyOf(reply.json().value.id)).toMatchObject([
      {
        revision: 1,
        change: "Imported from 'claims of May.xlsx' with 2 fields",
        fieldCount: 2,
        changedBy: 'Ada Admin',
      },
    ])
  })
})

describe('A change of a dictionary adds to its history', () => {
  type Built = Awaited<ReturnType<typeof buildDictionary>>
  type Request = (built: Built) => [Method, string, object?]
  const change = (field: object): Request => {
    return ({ fieldIds }) => ['PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, { ...text('Name'), ...field }]
  }
  const cases: { request: Request; says: string; fieldCount?: number }[] = [
    {
      says: "Renamed from 'Before'",
      request: ({ id }) => ['PUT', `/api/DataDictionary?id=${id}`, { name: uniqueName() }],
    },
    {
      says: "Field 'New' added",
      request: ({ id }) => ['POST', '/api/DataDictionary/Item', text('New', { dataDictionaryId: id })],
      fieldCount: 3,
    },
    {
      says: "Field 'Amount' deleted",
      request: ({ id, fieldIds }) => ['DELETE', `/api/DataDictionary/${id}/Item/${fieldIds[1]}`],
      fieldCount: 1,
    },
    {
      says: 'Order of the fields changed',
      request: ({ id, fieldIds }) => [
        'PUT',
        `/api/DataDictionary/${id}/Item/change-order`,
        { itemPositionList: fieldIds.toReversed().map((itemId, index) => ({ itemId, position: index + 1 })) },
      ],
    },
    { says: "Field 'Name' renamed to 'Surname'", request: change({ itemName: 'Surname' }) },
    { says: "Field 'Name' renamed to 'NAME'", request: change({ itemName: 'NAME' }) },
    { says: "Field 'Name' changed: description", request: change({ description: 'Of the person' }) },
    { says: "Field 'Name' changed: category", request: change({ category: 'Key' }) },
    { says: "Field 'Name' changed: format", request: change({ ruleConfig: '{"maxLength":5}' }) },
    { says: "Field 'Name' changed: format", request: change({ ruleType: ruleNumbers.number }) },
    { says: "Field 'Name' changed: whether it can be empty", request: change({ isRequired: false }) },
    { says: "Field 'Name' changed: whether it identifies the row", request: change({ identifiesRow: true }) },
    {
      says: "Field 'Name' renamed to 'Sum', and changed: description, format, whether it can be empty",
      request: change({
        itemName: 'Sum',
        description: 'In euros',
        ruleType: ruleNumbers.number,
        isRequired: false,
      }),
    },
  ]

  it.for(cases)('$says', async ({ request, says, fieldCount = 2 }) => {
    const built = await buildDictionary(test.deps.db, { name: 'Before' })
    const { status } = await call(...request(built))
    expect([200, 201]).toContain(status)
    const present = (await call('GET', `/api/DataDictionary/${built.id}`)).body.value
    const [version, first] = await historyOf(built.id)
    expect(version).toEqual({
      revision: 2,
      name: present.name,
      changedAt: present.lastUpdated,
      changedBy: 'Ada Admin',
      change: says,
      fieldCount,
    })
    expect(present.updatedBy).toBe('Ada Admin')
    expect(first).toMatchObject({ revision: 1, name: 'Before', changedBy: null })
    // The next case has a dictionary of that name as well.
    await call('DELETE', `/api/DataDictionary/${built.id}`)
  })
})

describe('A change that changes nothing', () => {
  it('adds nothing to the history', async () => {
    const { id, name, fieldIds } = await buildDictionary(test.deps.db)
    const inOrder = fieldIds.map((itemId, index) => ({ itemId, position: index + 1 }))
    const replies = [
      await call('PUT', `/api/DataDictionary?id=${id}`, { name }),
      await call('PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, text('Name')),
      await call('PUT', `/api/DataDictionary/${id}/Item/change-order`, { itemPositionList: inOrder }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await historyOf(id)).toMatchObject([{ revision: 1 }])
    expect((await call('GET', `/api/DataDictionary/${id}`)).body.value.updatedBy).toBeNull()
  })

  it('adds nothing if it is refused', async () => {
    const { id } = await buildDictionary(test.deps.db)
    await call('POST', '/api/DataDictionary/Item', text('NAME', { dataDictionaryId: id }))
    expect(await historyOf(id)).toMatchObject([{ revision: 1 }])
  })
})

describe('The history', () => {
  it('comes in pages, newest first', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields: [] })
    for (const name of ['a', 'b', 'c'])
      await call('POST', '/api/DataDictionary/Item', text(name, { dataDictionaryId: id }))
    const { body } = await call('GET', `/api/DataDictionary/${id}/Version?pagesize=2&pagenumber=2`)
    expect(body.value).toMatchObject({
      data: [{ revision: 2 }, { revision: 1 }],
      totalPages: 2,
      totalCount: 4,
    })
  })

  it('names the author of a change after the account was deleted', async () => {
    const leaver = await buildAdministrator(test.deps.db, { name: 'Lee Leaver' })
    const { id } = await buildDictionary(test.deps.db)
    await test.call('PUT', `/api/DataDictionary?id=${id}`, { as: leaver, body: { name: uniqueName() } })
    expect((await call('DELETE', `/api/User/${leaver.id}`)).status).toBe(200)
    expect(await historyOf(id)).toMatchObject([{ changedBy: 'Lee Leaver' }, { changedBy: null }])
    expect((await call('GET', `/api/DataDictionary/${id}`)).body.value.updatedBy).toBe('Lee Leaver')
  })

  it('shows the fields of each version as they were', async () => {
    const { id, fieldIds } = await buildDictionary(test.deps.db)
    await call(
      'PUT',
      `/api/DataDictionary/Item/${fieldIds[1]}`,
      text('Sum', { description: 'In euros', isRequired: false }),
    )
    await call('DELETE', `/api/DataDictionary/${id}/Item/${fieldIds[0]}`)
    const names = async (revision: number) =>
      (await versionOf(id, revision)).fields.map(({ columnName }: { columnName: string }) => columnName)
    expect([await names(1), await names(2), await names(3)]).toEqual([
      ['Name', 'Amount'],
      ['Name', 'Sum'],
      ['Sum'],
    ])
    expect((await versionOf(id, 1)).fields[1]).toEqual({
      columnName: 'Amount',
      description: '',
      category: '',
      ruleType: ruleNumbers.number,
      isRequired: false,
      identifiesRow: false,
      ruleConfigJson: '{"scale":2}',
      position: 2,
    })
  })

  it('is 404 for an unknown dictionary or revision', async () => {
    const { id } = await buildDictionary(test.deps.db)
    expect(await call('GET', `/api/DataDictionary/${id}/Version/2`)).toEqual({
      status: 404,
      body: { message: 'Version not found.' },
    })
    expect((await call('GET', `/api/DataDictionary/${id}/Version/0`)).status).toBe(400)
    await call('DELETE', `/api/DataDictionary/${id}`)
    expect((await call('GET', `/api/DataDictionary/${id}/Version`)).status).toBe(404)
    expect((await call('GET', `/api/DataDictionary/${id}/Version/1`)).status).toBe(404)
  })
})

describe('A version', () => {
  it('equals the dictionary after any changes, and earlier versions never change', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const) }),
      fc.record({
        kind: fc.constantFrom('change' as const, 'remove' as const, 'turn' as const),
        at: fc.nat(20),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { id } = await buildDictionary(test.deps.db)
        const fields = async () =>
          (await call('GET', `/api/DataDictionary/${id}/Item?PageSize=100`)).body.value.data
        const states = [withoutIds(await fields())]
        for (const [index, { kind, ...rest }] of steps.entries()) {
          const now = await fields()
          const { id: fieldId } = now[('at' in rest ? rest.at : 0) % (now.length || 1)] ?? {}
          if (kind === 'add')
            await call('POST', '/api/DataDictionary/Item', text(`Added ${index}`, { dataDictionaryId: id }))
          else if (kind === 'change')
            await call('PUT', `/api/DataDictionary/Item/${fieldId}`, text(`Changed ${index}`))
          else if (kind === 'remove') await call('DELETE', `/api/DataDictionary/${id}/Item/${fieldId}`)
          else await turn(id, now)
          const { totalCount } = (await call('GET', `/api/DataDictionary/${id}/Version`)).body.value
          if (totalCount > states.length) states.push(withoutIds(await fields()))
        }
        for (const [index, state] of states.entries())
          expect((await versionOf(id, index + 1)).fields).toEqual(state)
        expect(withoutIds(await fields())).toEqual(states.at(-1))
      }),
      { numRuns: runs(5) },
    )
  })

  it('exists for each of many parallel changes, in the order of their times', async () => {
    const { id, fieldIds } = await buildDictionary(test.deps.db)
    const changes = Array.from({ length: 24 }, (_, index): [Method, string, object] => {
      if (index % 3 === 0) return ['PUT', `/api/DataDictionary?id=${id}`, { name: uniqueName() }]
      if (index % 3 === 1) return ['PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, text(`Name ${index}`)]
      return ['POST', '/api/DataDictionary/Item', text(`Added ${index}`, { dataDictionaryId: id })]
    })
    await Promise.all(changes.map((change) => call(...change)))
    const { data } = (await call('GET', `/api/DataDictionary/${id}/Version?PageSize=100`)).body.value
    expect(data.map(({ revision }: VersionItem) => revision)).toEqual(
      Array.from({ length: 25 }, (_, index) => 25 - index),
    )
    const times = data.map(({ changedAt }: VersionItem) => changedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    const counts: number[] = data.map(({ fieldCount }: VersionItem) => fieldCount)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  })
})

type Listed = { id: number; position: number }
const withoutIds = (fields: Listed[]) => fields.map((field) => ({ ...field, id: undefined }))

const turn = (id: number, fields: Listed[]) =>
  call('PUT', `/api/DataDictionary/${id}/Item/change-order`, {
    itemPositionList: fields.map((field, index) => ({ itemId: field.id, position: fields.length - index })),
  })
