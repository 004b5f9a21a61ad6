import type { RowRule, RuleBook } from '@veridict/contract/model/row-rule'
import { fieldToWire, ruleNumbers } from '@veridict/contract/api/wire-field'
import { runs } from '@veridict/engine/test/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIELDS, randomRuleBook } from '@veridict/engine/test/random-rule-book'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import { buildAccessToken, buildDictionary, buildUser } from '#test/factories.ts'
import { findRow } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { type FormPart, uploadForm } from '#test/upload-form.ts'
import { until } from '#test/until.ts'
import { buildUploader } from '#test/uploader.ts'
import { startWholePortal, type WholePortal } from '#test/whole-portal.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const fields = [
  {
    itemName: 'Status',
    ruleType: ruleNumbers.list,
    isRequired: true,
    ruleConfig: { optionSetValues: ['Paid', 'Denied'] },
  },
  { itemName: 'Reason', isRequired: false },
  {
    itemName: 'Paid on',
    ruleType: ruleNumbers.date,
    isRequired: false,
    ruleConfig: { format: 'yyyy-MM-dd' },
  },
]
const denied: RowRule = {
  name: 'Denied needs a reason',
  severity: 'error',
  when: { all: [{ column: 'Status', is: 'oneOf', values: ['Denied'] }] },
  then: [{ column: 'Reason', is: 'filled' }],
}
const recent: RowRule = {
  name: 'Paid since 2020',
  severity: 'error',
  then: [{ column: 'Paid on', is: 'atLeast', than: { value: '2020-01-31' } }],
}

const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  test.call(method, `/api/DataDictionary/${path}`, { as: test.administrator, body })
const build = () => buildDictionary(test.deps.db, { fields, companyId: test.clerk.companyId! })
const readBook = async (id: number): Promise<RuleBook & { version: string }> =>
  (await call('GET', `${id}/Rules`)).json().value

async function buildWithRules(rules: readonly RowRule[] = [denied, recent]) {
  const dictionary = await build()
  const reply = await call('PUT', `${dictionary.id}/Rules`, { rules })
  expect(reply.statusCode, reply.body).toBe(200)
  return dictionary
}

describe('The rules of a dictionary', () => {
  it('are none at first, and are saved as a whole; parts that are left out stay', async () => {
    const { id } = await build()
    expect(await readBook(id)).toMatchObject({ rules: [], exempt: null, blankTexts: [], lists: [] })
    await call('PUT', `${id}/Rules`, { rules: [denied], blankTexts: ['n/a'] })
    await call('PUT', `${id}/Rules`, { rules: [recent] })
    expect(await readBook(id)).toMatchObject({ rules: [recent], blankTexts: ['n/a'] })
  })

  it('stay where a part is null, which says nothing', async () => {
    const { id } = await build()
    await call('PUT', `${id}/Rules`, { rules: [denied], blankTexts: ['n/a'] })
    const nulls = { rules: null, exempt: null, blankTexts: null, lists: null }
    const reply = await call('PUT', `${id}/Rules`, nulls)
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json().value).toMatchObject({ rules: [denied], blankTexts: ['n/a'] })
  })

  it('are read as they were saved, any of them, and copied', async () => {
    const wires = FIELDS.map((field) => fieldToWire(field))
    await fc.assert(
      fc.asyncProperty(randomRuleBook, async (book) => {
        const { id, name } = await buildDictionary(test.deps.db, {
          fields: wires,
          companyId: test.clerk.companyId!,
        })
        const reply = await call('PUT', `${id}/Rules`, book)
        expect(reply.statusCode, reply.body).toBe(200)
        expect(await readBook(id)).toMatchObject(book)
        const copy = await call('POST', `copy/${id}`, { name: `${name} again` })
        expect(await readBook(copy.json().value.id)).toMatchObject(book)
      }),
      { numRuns: runs(3) },
    )
  })

  it('are refused with every fault under its place', async () => {
    const { id } = await build()
    const wrong = { ...denied, then: [{ column: 'Ground', is: 'filled' }] }
    const reply = await call('PUT', `${id}/Rules`, {
      rules: [recent, wrong, { ...recent, severity: 'high' }],
    })
    expect(reply.statusCode).toBe(400)
    expect(Object.keys(reply.json().errors)).toEqual(expect.arrayContaining(['rules[1].then[0]']))
    expect(reply.body).toContain("'Denied needs a reason'")
    expect(await readBook(id)).toMatchObject({ rules: [] })
  })

  it('are not overwritten if another person changed them meanwhile', async () => {
    const { id } = await buildWithRules()
    const { version } = await readBook(id)
    await call('PUT', `${id}/Rules`, { rules: [denied] })
    expect((await call('PUT', `${id}/Rules`, { rules: [], version })).statusCode).toBe(409)
    expect((await readBook(id)).rules).toEqual([denied])
  })

  it('are replaced again with the ETag that replacing them returned', async () => {
    const { id } = await build()
    const saved = (await call('PUT', `${id}/Rules`, { rules: [denied] })).json().value
    expect(saved.version).toBe((await readBook(id)).version)
    const again = await call('PUT', `${id}/Rules`, { rules: [recent], version: saved.version })
    expect(again.statusCode).toBe(200)
  })

  it('are in the version of the dictionary, its history and its copies', async () => {
    const { id } = await buildWithRules()
    const { data } = (await call('GET', `${id}/Version?PageNumber=1&PageSize=10`)).json().value
    expect(data[0].change).toBe("Rules changed: 'Denied needs a reason', 'Paid since 2020'")
    const copy = (await call('POST', `copy/${id}`, { name: `Copy ${id}` })).json().value.id as number
    expect((await readBook(copy)).rules).toEqual([denied, recent])
    const versions = await test.deps.db
      .selectFrom('dictionaryVersions')
      .where('dictionaryId', 'in', [id, copy])
      .orderBy('id', 'desc')
      .select('id')
      .execute()
    const { ruleBook } = await findWholeVersion(test.deps.db, versions[0]!.id)
    expect(ruleBook.rules).toEqual([denied, recent])
  })
})

describe('A change of a field', () => {
  const change = async (id: number, fieldId: number, changed: object) => {
    const field = (await call('GET', `Item/${fieldId}`)).json().value
    const { columnName: itemName, ruleConfigJson: ruleConfig, ...rest } = field
    return call('PUT', `Item/${fieldId}`, { ...rest, itemName, ruleConfig, dataDictionaryId: id, ...changed })
  }

  it('renames it in the rules', async () => {
    const { id, fieldIds } = await buildWithRules()
    expect((await change(id, fieldIds[1]!, { itemName: 'Denial reason' })).statusCode).toBe(200)
    expect((await readBook(id)).rules[0]!.then).toEqual([{ column: 'Denial reason', is: 'filled' }])
  })

  it('renames it in the names that were proposed for rules, each still another one', async () => {
    const filled: RowRule = { name: 'Reason must be filled', severity: 'error', then: denied.then }
    const named = ['Reason must be filled', 'Reason must be filled (2)', 'Ground must be filled', 'Why']
    const rules = named.map((name) => ({ ...filled, name }))
    const { id, fieldIds } = await buildWithRules(rules)
    expect((await change(id, fieldIds[1]!, { itemName: 'Ground' })).statusCode).toBe(200)
    expect((await readBook(id)).rules.map(({ name }) => name)).toEqual([
      'Ground must be filled (2)',
      'Ground must be filled (3)',
      'Ground must be filled',
      'Why',
    ])
  })

  it('rewrites the constants of a rule in a new date format', async () => {
    const { id, fieldIds } = await buildWithRules()
    const ruleConfig = JSON.stringify({ format: 'dd/MM/yyyy' })
    expect((await change(id, fieldIds[2]!, { ruleConfig })).statusCode).toBe(200)
    expect((await readBook(id)).rules[1]!.then).toEqual([
      { column: 'Paid on', is: 'atLeast', than: { value: '31/01/2020' } },
    ])
  })

  it.for([
    {
      what: 'deletes it',
      rule: denied,
      run: (id: number, [, reason]: number[]) => call('DELETE', `${id}/Item/${reason}`),
    },
    {
      what: 'takes a value from its list',
      rule: denied,
      run: (id: number, [status]: number[]) =>
        change(id, status!, { ruleConfig: JSON.stringify({ optionSetValues: ['Paid'] }) }),
    },
    {
      what: 'gives it another type',
      rule: recent,
      run: (id: number, [, , paidOn]: number[]) =>
        change(id, paidOn!, { ruleType: ruleNumbers.text, ruleConfig: '{}' }),
    },
  ])('is refused with the names of the rules if it $what', async ({ rule, run }) => {
    const { id, fieldIds } = await buildWithRules()
    const reply = await run(id, fieldIds)
    expect(reply.statusCode).toBe(409)
    expect(reply.body).toContain(rule.name)
    expect((await readBook(id)).rules).toEqual([denied, recent])
  })
})

describe('A row that is tried', () => {
  it('gets the errors of a file, by the saved rules and by those of the draft', async () => {
    const { id } = await buildWithRules()
    const row = { Status: 'Denied', 'Paid on': '2019-12-31' }
    const saved = (await call('POST', `${id}/TryRules`, { row })).json().value
    expect(saved.errors.map(({ rule, label }: { rule: string; label: string }) => [rule, label])).toEqual([
      [denied.name, 'Reason'],
      [recent.name, 'Paid on'],
    ])
    const rules = [{ ...denied, severity: 'warning' }]
    const draft = (await call('POST', `${id}/TryRules`, { row, rules })).json().value
    expect(draft).toMatchObject({ errors: [], warnings: [{ rule: denied.name, columns: ['A', 'B'] }] })
  })
})

describe('A file', () => {
  let portal: WholePortal
  beforeAll(async () => {
    portal = await startWholePortal()
  })
  afterAll(() => portal.close())

  it('is validated by the rules of its dictionary, in the portal as in the browser', async () => {
    const { db } = portal.deps
    const uploader = await buildUploader(db, { fields })
    const administrator = await buildUser(db, { companyId: null, role: 'superAdmin' })
    const authorization = `Bearer ${await buildAccessToken(portal.deps, administrator)}`
    const asAdministrator = { ...uploader.headers, authorization }
    const get = async (path: string, headers: object = uploader.headers) =>
      (
        (await (await fetch(`${portal.address}${path}`, { headers: { ...headers } })).json()) as {
          value: any
        }
      ).value
    const { status } = await fetch(`${portal.address}/api/DataDictionary/${uploader.dictionaryId}/Rules`, {
      method: 'PUT',
      headers: { ...asAdministrator, 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [denied], blankTexts: ['n/a'] }),
    })
    expect(status).toBe(200)
    const id = await uploader.upload(portal, 'a.csv', 'Status,Reason,Paid on\nPaid,,\nDenied,n/a,\n')
    await until(async () => (await findRow(db, id)).settledAt !== null)
    expect(await findRow(db, id)).toMatchObject({ status: 2, errorRowCount: 1, cellErrorCount: 1 })

    const report = await get(`/api/FileSubmission/${id}/Errors`)
    const error = { label: 'Reason', rule: denied.name, columns: ['A', 'B'], columnPosition: 'B' }
    expect(report.rows.data).toMatchObject([{ rowNumber: 3, columnValidationErrors: [error] }])
    expect(report.causes).toMatchObject([{ kind: 'rule' }])
    const ofCause = await get(`/api/FileSubmission/${id}/Errors?cause=${report.causes[0].id}`)
    expect(ofCause.rows.data).toMatchObject([{ rowNumber: 3, columnValidationErrors: [error] }])

    const failures = await get(`/api/DataDictionary/${uploader.dictionaryId}/RuleFailures`, asAdministrator)
    expect(failures).toEqual({ days: 90, rules: [{ name: denied.name, files: 1, cells: 1 }] })

    const forChecking = await get(`/api/DataDictionary/${uploader.dictionaryId}/ForChecking`)
    expect(forChecking).toMatchObject({ rules: [denied], exempt: null, blankTexts: ['n/a'], lists: [] })
  })
})

describe('A rule book is carried', () => {
  const whole: RuleBook = {
    rules: [
      { ...denied, description: 'Payers ask for it', from: '2027-01-31' },
      recent,
      { name: 'Key: Reason', severity: 'error', then: [{ columns: ['Reason'], is: 'unique' }] },
      {
        name: 'Pairs',
        severity: 'warning',
        then: [{ columns: ['Status', 'Reason'], is: 'listed', list: 'L' }],
      },
    ],
    exempt: { when: { any: [{ column: 'Reason', is: 'oneOf', values: ['None', ''] }] } },
    blankTexts: ['N/A', '-'],
    lists: [
      {
        name: 'L',
        columns: ['Status', 'Reason'],
        rows: [
          ['Paid', ''],
          ['Denied', 'Late'],
        ],
      },
    ],
  }
  const items = fields.map(({ ruleConfig = {}, ruleType = 0, ...field }) => ({
    ...field,
    ruleType,
    ruleConfig: JSON.stringify(ruleConfig),
  }))
  const name = () => `Rules ${crypto.randomUUID()}`
  const create = (body: object) => call('POST', '', { name: name(), items, ...body })
  const createWhole = async () => (await create(whole)).json().value.id as number
  const send = async (path: string, ...parts: FormPart[]) => {
    const { body, headers } = await uploadForm(...parts)
    return test.call('POST', `/api/DataDictionary/${path}`, { as: test.administrator, body, headers })
  }
  const bookOf = async (id: number) => {
    const { version: _, ...book } = await readBook(id)
    return book
  }

  it('by the call that makes a dictionary, in its first version', async () => {
    const id = await createWhole()
    expect(await bookOf(id)).toEqual(whole)
    const { db } = test.deps
    const version = db.selectFrom('dictionaryVersions').selectAll().where('dictionaryId', '=', id)
    const { id: versionId, revision } = await version.executeTakeFirstOrThrow()
    expect(revision).toBe(1)
    expect((await findWholeVersion(db, versionId)).ruleBook).toEqual(whole)
  })

  it('by nothing if a part is refused, with its place', async () => {
    const rows = () => test.deps.db.selectFrom('dictionaries').select('id').execute()
    const before = await rows()
    const reply = await create({ rules: [{ ...denied, then: [{ column: 'Reasn', is: 'filled' }] }] })
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { errors: { 'rules[0].then[0]': ["Rule 'Denied needs a reason': There is no field 'Reasn'."] } },
    ])
    expect(await rows()).toEqual(before)
  })

  it('by a workbook, whose second export is the first', async () => {
    const exported = (await call('GET', `${await createWhole()}/Export`)).rawPayload
    const reply = await send('Import', ['name', name()], ['file', exported, 'rules.xlsx'])
    expect(reply.statusCode, reply.body).toBe(201)
    const { id } = reply.json().value
    expect(await bookOf(id)).toEqual(whole)
    expect((await call('GET', `${id}/Export`)).rawPayload).toEqual(exported)
  })

  it('by a Table Schema, which proposes what it holds', async () => {
    const schema = (await call('GET', `${await createWhole()}/TableSchema`)).payload
    const proposed = (await send('Propose', ['file', schema, 'rules.schema.json'])).json().value
    const { fields: read, rules, exempt, blankTexts, lists, notes } = proposed
    expect(notes).toEqual([])
    const reply = await create({ items: read, rules, exempt, blankTexts, lists })
    expect(await bookOf(reply.json().value.id)).toEqual(whole)
  })
})
