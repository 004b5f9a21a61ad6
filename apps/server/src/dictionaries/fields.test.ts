import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDictionary } from '#test/factories.ts'
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

const form = (given: object = {}) => ({
  itemName: 'Amount due',
  description: 'In euros',
  category: 'Money',
  ruleType: ruleNumbers.number,
  isRequired: false,
  ruleConfig: '{"scale":2,"min":0}',
  ...given,
})

type Item = { id: number; columnName: string; position: number }
const itemsOf = async (dictionaryId: number): Promise<Item[]> =>
  (await call('GET', `/api/DataDictionary/${dictionaryId}/Item?PageSize=100000`)).body.value.data
const namesOf = async (dictionaryId: number) =>
  (await itemsOf(dictionaryId)).map(({ columnName }) => columnName)
const dictionaryRow = (id: number) =>
  test.deps.db.selectFrom('dictionaries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A dictionary with fields of these names, in order. */
const dictionaryOf = (...names: string[]) =>
  buildDictionary(test.deps.db, { fields: names.map((itemName) => ({ itemName })) })

describe('The regular expressions of a dictionary', () => {
  /** Takes 2,446 of the size that the expressions of a dictionary may have. */
  const large = (letter: string) => `.{0,1000}${'(?:a|b)'.repeat(36)}${letter}`
  const letters = 'bcdefghijklmnopq'
  /** 202 of the size 2,448 leave room for two more. */
  const filling = Array.from({ length: 202 }, (_, index) =>
    large(letters[index % letters.length] + letters[Math.floor(index / letters.length)]),
  )
  const stored = (patterns: readonly string[]) =>
    buildDictionary(test.deps.db, {
      fields: patterns.map((regularExpression, index) => ({
        itemName: `Stored ${index}`,
        ruleType: ruleNumbers.pattern,
        ruleConfig: { regularExpression },
      })),
    })
  const pattern = (itemName: string, regularExpression: string) =>
    form({ itemName, ruleType: ruleNumbers.pattern, ruleConfig: JSON.stringify({ regularExpression }) })
  const refusal = {
    errors: { regularExpression: [fieldMessages.patternInvalid(fieldMessages.patternsTooLarge)] },
  }

  it('have one limit together, for every way to add fields', async () => {
    const { id: dataDictionaryId } = await stored(filling)
    const add = (name: string, expression: string) =>
      call('POST', '/api/DataDictionary/Item', { ...pattern(name, expression), dataDictionaryId })
    expect((await add('First', large('b'))).status).toBe(201)
    const { body } = await add('Second', large('c'))
    expect((await add('Equal to the first', large('b'))).status).toBe(201)
    expect(await add('Third', large('d'))).toEqual({ status: 400, body: refusal })
    const small = await add('Small', 'd')
    const put = (id: number, expression: string) =>
      call('PUT', `/api/DataDictionary/Item/${id}`, pattern('Changed', expression))
    expect(await put(small.body.value.id, large('d'))).toEqual({ status: 400, body: refusal })
    expect((await put(body.value.id, large('d'))).status).toBe(200)

    const items = [...filling, ...['b', 'c', 'd'].map(large)].map((expression, index) =>
      pattern(`Field ${index}`, expression),
    )
    const created = await call('POST', '/api/DataDictionary', { name: 'All at once', items })
    expect(created).toEqual({ status: 400, body: [expect.stringContaining(fieldMessages.patternsTooLarge)] })
  })

  it('may become smaller if they are already too large', async () => {
    const { fieldIds } = await stored(['b', 'c', 'd', 'e'].map(large).concat(filling))
    const put = (expression: string) =>
      call('PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, pattern('b', expression))
    expect(await put(large('f'))).toEqual({ status: 400, body: refusal })
    expect((await put('b')).status).toBe(200)
  })

  it('have a limit each, but a stored one beyond it may stay', async () => {
    const optional = 'a?'.repeat(900)
    const { id: dataDictionaryId, fieldIds } = await stored([optional])
    const tooLarge = {
      errors: { regularExpression: [fieldMessages.patternInvalid(fieldMessages.patternTooLarge)] },
    }
    expect(
      await call('POST', '/api/DataDictionary/Item', { ...pattern('New', optional), dataDictionaryId }),
    ).toEqual({ status: 400, body: tooLarge })
    const put = (expression: string) =>
      call('PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, pattern('Other name', expression))
    expect((await put(optional)).status).toBe(200)
    expect(await put(`${optional}b`)).toEqual({ status: 400, body: tooLarge })
  })
})

describe('Creating a field', () => {
  it('appends it, and the dictionary gets a new revision', async () => {
    const dictionary = await dictionaryOf('First')
    const { status, body } = await call(
      'POST',
      '/api/DataDictionary/Item',
      form({ dataDictionaryId: dictionary.id }),
    )
    expect([status, body]).toEqual([
      201,
      { value: { id: expect.any(Number) }, successMessage: fieldMessages.saved },
    ])
    expect((await itemsOf(dictionary.id))[1]).toEqual({
      id: body.value.id,
      columnName: 'Amount due',
      description: 'In euros',
      category: 'Money',
      ruleType: ruleNumbers.number,
      isRequired: false,
      identifiesRow: false,
      ruleConfigJson: '{"min":0,"scale":2}',
      position: 2,
    })
    const row = await dictionaryRow(dictionary.id)
    expect([row.revision, row.updatedBy]).toEqual([dictionary.revision + 1, test.administrator.id])
    expect(row.updatedAt.getTime()).toBeGreaterThan(dictionary.updatedAt.getTime())
  })

  it.for([
    { given: { itemName: '  ' }, field: 'itemName', message: fieldMessages.nameRequired },
    { given: { itemName: 'x'.repeat(255) }, field: 'itemName', message: noticeMessages.tooLong(254) },
    { given: { itemName: 'a\0b' }, field: 'itemName', message: noticeMessages.invalidValue },
    { given: { ruleType: undefined }, field: 'ruleType', message: fieldMessages.typeRequired },
    { given: { ruleType: 99 }, field: 'ruleType', message: fieldMessages.typeRequired },
    { given: { ruleConfig: '{"scale":-1}' }, field: 'scale', message: fieldMessages.scaleInvalid },
    { given: { ruleConfig: '{' }, field: 'ruleConfig', message: fieldMessages.configInvalid },
    { given: { ruleConfig: { scale: 1 } }, field: 'ruleConfig', message: fieldMessages.configInvalid },
  ])('refuses $given', async ({ given, field, message }) => {
    const dictionary = await dictionaryOf()
    const { status, body } = await call(
      'POST',
      '/api/DataDictionary/Item',
      form({ dataDictionaryId: dictionary.id, ...given }),
    )
    expect(status).toBe(400)
    expect(body.errors[field]).toEqual([message])
    expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision)
  })

  it.for(['amount DUE', ' Amount   due ', 'Amount\u00a0due'])(
    'takes "%s" for the same header as "Amount due"',
    async (itemName) => {
      const dictionary = await dictionaryOf('Amount due')
      const { status, body } = await call(
        'POST',
        '/api/DataDictionary/Item',
        form({ dataDictionaryId: dictionary.id, itemName }),
      )
      expect([status, body]).toEqual([409, { message: fieldMessages.duplicateName }])
      expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision)
    },
  )

  it('accepts exactly one of two parallel requests with one name, in every round', async () => {
    const dictionary = await dictionaryOf()
    for (let round = 0; round < 20; round++) {
      const create = (itemName: string) =>
        call('POST', '/api/DataDictionary/Item', form({ dataDictionaryId: dictionary.id, itemName }))
      const replies = await Promise.all([create(`Twin ${round}`), create(`TWIN ${round}`)])
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    }
    expect((await itemsOf(dictionary.id)).map(({ position }) => position)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  it('appends fields of parallel requests one after the other', async () => {
    const dictionary = await dictionaryOf()
    const names = Array.from({ length: 12 }, (_, index) => `Field ${index}`)
    await Promise.all(
      names.map((itemName) =>
        call('POST', '/api/DataDictionary/Item', form({ dataDictionaryId: dictionary.id, itemName })),
      ),
    )
    expect((await itemsOf(dictionary.id)).map(({ position }) => position)).toEqual(
      names.map((_, index) => index + 1),
    )
    expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision + names.length)
  })

  it.for(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '<img src=x onerror=alert(1)>', '👍'])(
    'takes %s as ordinary text',
    async (itemName) => {
      const dictionary = await dictionaryOf()
      const field = form({
        dataDictionaryId: dictionary.id,
        itemName,
        description: itemName,
        category: itemName,
      })
      const { body } = await call('POST', '/api/DataDictionary/Item', field)
      const read = await call('GET', `/api/DataDictionary/Item/${body.value.id}`)
      expect(read.body.value).toMatchObject({
        columnName: itemName,
        description: itemName,
        category: itemName,
      })
    },
  )

  it('returns 404 for a dictionary that does not exist', async () => {
    const { status, body } = await call(
      'POST',
      '/api/DataDictionary/Item',
      form({ dataDictionaryId: 2_147_483_647 }),
    )
    expect([status, body]).toEqual([404, { message: 'Data dictionary not found.' }])
  })
})

describe('The list of fields', () => {
  it('searches name and description literally', async () => {
    const fields = [
      { itemName: 'Rate %', description: 'of the sum' },
      { itemName: 'Sum' },
      { itemName: 'Other', description: 'a_b' },
      { itemName: 'Back\\slash' },
    ]
    const dictionary = await buildDictionary(test.deps.db, { fields })
    const found = async (search: string) => {
      const { body } = await call(
        'GET',
        `/api/DataDictionary/${dictionary.id}/Item?SearchText=${encodeURIComponent(search)}`,
      )
      expect(body.value.totalCount).toBe(body.value.data.length)
      return body.value.data.map(({ columnName }: Item) => columnName)
    }
    expect(await found('SUM')).toEqual(['Rate %', 'Sum'])
    expect(await found('%')).toEqual(['Rate %'])
    expect(await found('_')).toEqual(['Other'])
    expect(await found('\\')).toEqual(['Back\\slash'])
    expect(await found('nothing')).toEqual([])
  })

  it('is paged in order', async () => {
    const { id } = await dictionaryOf('c', 'a', 'b')
    const { body } = await call('GET', `/api/DataDictionary/${id}/Item?PageSize=2&PageNumber=2`)
    expect(body.value).toMatchObject({
      data: [{ columnName: 'b', position: 3 }],
      totalPages: 2,
      totalCount: 3,
    })
  })

  it('returns 404 for a dictionary that does not exist', async () => {
    expect((await call('GET', '/api/DataDictionary/2147483647/Item')).status).toBe(404)
  })
})

describe('Reading a field', () => {
  it('returns its data with an ETag', async () => {
    const { fieldIds } = await dictionaryOf('Name')
    const { body } = await call('GET', `/api/DataDictionary/Item/${fieldIds[0]}`)
    expect(body.value).toEqual({
      id: fieldIds[0],
      columnName: 'Name',
      description: '',
      category: '',
      ruleType: ruleNumbers.text,
      isRequired: true,
      identifiesRow: false,
      ruleConfigJson: '{}',
      version: expect.any(String),
    })
  })

  it('returns 404 for a field that does not exist, or whose dictionary was deleted', async () => {
    const { id, fieldIds } = await dictionaryOf('Name')
    await test.deps.db
      .updateTable('dictionaries')
      .set({ deletedAt: new Date() })
      .where('id', '=', id)
      .execute()
    const missing = { status: 404, body: { message: 'Field not found.' } }
    expect(await call('GET', '/api/DataDictionary/Item/2147483647')).toEqual(missing)
    expect(await call('GET', `/api/DataDictionary/Item/${fieldIds[0]}`)).toEqual(missing)
    expect(await call('PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, form())).toEqual(missing)
  })
})

describe('Changing a field', () => {
  it('saves all values, keeps its position, and the dictionary gets a new revision', async () => {
    const dictionary = await dictionaryOf('First', 'Second')
    const { status, body } = await call('PUT', `/api/DataDictionary/Item/${dictionary.fieldIds[0]}`, form())
    expect([status, body.successMessage]).toEqual([200, fieldMessages.saved])
    expect(body.value).toMatchObject({
      columnName: 'Amount due',
      ruleType: ruleNumbers.number,
      isRequired: false,
    })
    expect(await namesOf(dictionary.id)).toEqual(['Amount due', 'Second'])
    expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision + 1)
  })

  it('refuses the name of another field, and accepts its own in another letter case', async () => {
    const { id, fieldIds } = await dictionaryOf('First', 'Second')
    const rename = (itemName: string) =>
      call('PUT', `/api/DataDictionary/Item/${fieldIds[0]}`, form({ itemName, dataDictionaryId: id }))
    expect(await rename('SECOND')).toEqual({ status: 409, body: { message: fieldMessages.duplicateName } })
    expect((await rename('FIRST')).status).toBe(200)
  })

  it('refuses a rule that does not fit its type', async () => {
    const { fieldIds } = await dictionaryOf('First')
    const { status, body } = await call(
      'PUT',
      `/api/DataDictionary/Item/${fieldIds[0]}`,
      form({ ruleType: ruleNumbers.date }),
    )
    expect([status, body.errors.format]).toEqual([400, [fieldMessages.dateFormatRequired]])
  })

  it('returns 404 when the field is of another dictionary', async () => {
    const [{ fieldIds }, other] = [await dictionaryOf('First'), await dictionaryOf()]
    const { status } = await call(
      'PUT',
      `/api/DataDictionary/Item/${fieldIds[0]}`,
      form({ dataDictionaryId: other.id }),
    )
    expect(status).toBe(404)
  })

  it('refuses to overwrite what another administrator changed since it was read', async () => {
    const { fieldIds } = await dictionaryOf('First')
    const path = `/api/DataDictionary/Item/${fieldIds[0]}`
    const { version } = (await call('GET', path)).body.value
    const first = await call('PUT', path, form({ version, description: 'mine' }))
    const late = await call('PUT', path, form({ version, description: 'yours' }))
    expect([first.status, late.status, late.body]).toEqual([
      200,
      409,
      { message: noticeMessages.changedMeanwhile },
    ])
    expect(
      (await call('PUT', path, form({ version: first.body.value.version, description: 'again' }))).status,
    ).toBe(200)
    expect((await call('PUT', path, form())).status).toBe(200)
  })

  it('accepts exactly one of two parallel changes with the same ETag', async () => {
    const { fieldIds } = await dictionaryOf('First')
    const path = `/api/DataDictionary/Item/${fieldIds[0]}`
    for (let round = 0; round < 20; round++) {
      const { version } = (await call('GET', path)).body.value
      const change = (who: string) => call('PUT', path, form({ version, description: `${who} ${round}` }))
      expect(
        (await Promise.all([change('mine'), change('yours')])).map(({ status }) => status).sort(),
      ).toEqual([200, 409])
    }
  })
})

describe('Deleting a field', () => {
  it('closes up the positions', async () => {
    const dictionary = await dictionaryOf('a', 'b', 'c', 'd')
    const { status, body } = await call(
      'DELETE',
      `/api/DataDictionary/${dictionary.id}/Item/${dictionary.fieldIds[1]}`,
    )
    expect([status, body]).toEqual([200, { value: { message: fieldMessages.deleted } }])
    expect((await itemsOf(dictionary.id)).map(({ columnName, position }) => [columnName, position])).toEqual([
      ['a', 1],
      ['c', 2],
      ['d', 3],
    ])
    expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision + 1)
  })

  it('closes up the positions also in parallel', async () => {
    const { id, fieldIds } = await dictionaryOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    await Promise.all(
      fieldIds.slice(1, 7).map((fieldId) => call('DELETE', `/api/DataDictionary/${id}/Item/${fieldId}`)),
    )
    expect((await itemsOf(id)).map(({ columnName, position }) => [columnName, position])).toEqual([
      ['a', 1],
      ['h', 2],
    ])
  })

  it('returns 404 for a field of another dictionary, and changes neither', async () => {
    const [mine, other] = [await dictionaryOf('a'), await dictionaryOf('b')]
    const { status, body } = await call('DELETE', `/api/DataDictionary/${mine.id}/Item/${other.fieldIds[0]}`)
    expect([status, body]).toEqual([404, { message: 'Field not found.' }])
    expect([await namesOf(mine.id), await namesOf(other.id)]).toEqual([['a'], ['b']])
    expect((await dictionaryRow(mine.id)).revision).toBe(mine.revision)
  })
})

describe('Changing the order', () => {
  const reorder = (id: number, itemPositionList: unknown, seenOrder?: number[]) =>
    call('PUT', `/api/DataDictionary/${id}/Item/change-order`, { itemPositionList, seenOrder })
  const placed = (...ids: number[]) => ids.map((itemId, index) => ({ itemId, position: index + 1 }))

  it('moves every field to its position', async () => {
    const dictionary = await dictionaryOf('a', 'b', 'c')
    const [a, b, c] = dictionary.fieldIds
    const { status, body } = await reorder(dictionary.id, placed(c, a, b))
    expect([status, body]).toEqual([200, { value: { message: fieldMessages.reordered } }])
    expect(await namesOf(dictionary.id)).toEqual(['c', 'a', 'b'])
    expect((await dictionaryRow(dictionary.id)).revision).toBe(dictionary.revision + 1)
  })

  it('refuses a list that is not all fields, each once, from 1 to n', async () => {
    const { id, fieldIds } = await dictionaryOf('a', 'b', 'c')
    const [a, b, c] = fieldIds
    const foreign = (await dictionaryOf('x')).fieldIds[0]
    const lists = [
      [],
      placed(b, c),
      placed(c, c, a),
      placed(a, b, foreign),
      [...placed(a, b), { itemId: c, position: 2 }],
      [...placed(a, b), { itemId: c, position: 4 }],
    ]
    for (const list of lists) {
      const { status, body } = await reorder(id, list)
      expect([status, body.errors.itemPositionList]).toEqual([400, [fieldMessages.orderIncomplete]])
    }
    for (const list of [undefined, 'abc', [{ itemId: 'x', position: 1 }], [null]])
      expect((await reorder(id, list)).status).toBe(400)
    expect(await namesOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('returns 409 if a listed field was deleted or a new one exists', async () => {
    const { id, fieldIds } = await dictionaryOf('a', 'b', 'c')
    const [a, b, c] = fieldIds
    await call('DELETE', `/api/DataDictionary/${id}/Item/${b}`)
    expect(await reorder(id, placed(c, b, a))).toEqual({
      status: 409,
      body: { message: fieldMessages.changedMeanwhile },
    })
    await call('POST', '/api/DataDictionary/Item', form({ dataDictionaryId: id, itemName: 'd' }))
    expect(await reorder(id, placed(c, a))).toEqual({
      status: 409,
      body: { message: fieldMessages.changedMeanwhile },
    })
    expect(await namesOf(id)).toEqual(['a', 'c', 'd'])
  })

  it('refuses to overwrite an order that another administrator saved since', async () => {
    const { id, fieldIds } = await dictionaryOf('a', 'b', 'c')
    const [a, b, c] = fieldIds
    expect((await reorder(id, placed(b, a, c), fieldIds)).status).toBe(200)
    expect(await reorder(id, placed(c, b, a), fieldIds)).toEqual({
      status: 409,
      body: { message: fieldMessages.changedMeanwhile },
    })
    expect(await namesOf(id)).toEqual(['b', 'a', 'c'])
    expect((await reorder(id, placed(c, b, a), [b, a, c])).status).toBe(200)
    expect((await reorder(id, placed(a, b, c))).status).toBe(200)
  })

  it('stays complete while two administrators reorder and a third adds and deletes', async () => {
    const { id, fieldIds } = await dictionaryOf('a', 'b', 'c', 'd')
    for (let round = 0; round < 20; round++) {
      const added = call(
        'POST',
        '/api/DataDictionary/Item',
        form({ dataDictionaryId: id, itemName: `new ${round}` }),
      )
      const replies = await Promise.all([
        reorder(id, placed(...fieldIds)),
        reorder(id, placed(...fieldIds.toReversed())),
        added,
      ])
      for (const { status } of replies) expect([200, 201, 409]).toContain(status)
      await call('DELETE', `/api/DataDictionary/${id}/Item/${(await added).body.value.id}`)
      expect((await itemsOf(id)).map(({ position }) => position)).toEqual([1, 2, 3, 4])
    }
  })

  it('returns 404 for a dictionary that does not exist', async () => {
    expect((await reorder(2_147_483_647, placed(1))).status).toBe(404)
  })
})
