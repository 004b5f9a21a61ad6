import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldToBody, fieldFromWire, ruleNumbers } from '@veridict/contract/api/wire-field'
import type { Impact } from '@veridict/contract/api/impacts'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#deps.ts'
import { tryImpacts } from '#impacts/try-impacts.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import type { SubmissionRow, UserRow } from '#platform/database/tables.ts'
import { oneChunk } from '#platform/storage/chunks.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import {
  buildCompany,
  buildDictionary,
  buildSubmission,
  buildUser,
  findPresentVersionId,
  type BuiltField,
  wireField,
} from '#test/factories.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const running = new AbortController().signal
const HEADING = 'Name,Amount\n'
const noted: RowRule = {
  name: 'Paid in full',
  severity: 'error',
  then: [{ column: 'Amount', is: 'atLeast', than: { value: '10' } }],
}
const items = (...fields: BuiltField[]) => fields.map((field) => fieldToBody(fieldFromWire(wireField(field))))
const name = { itemName: 'Name' }
const amount = {
  itemName: 'Amount',
  ruleType: ruleNumbers.number,
  isRequired: false,
  ruleConfig: { scale: 2 },
}

let dictionary: { id: number; name: string; versionId: number }
let clerk: UserRow
beforeEach(async () => {
  const { db } = portal.deps
  clerk = await buildUser(db)
  const built = await buildDictionary(db, { companyId: clerk.companyId! })
  dictionary = { id: built.id, name: built.name, versionId: await findPresentVersionId(db, built) }
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  portal.call(method, `/api/DataDictionary/${dictionary.id}/${path}`, { as: portal.administrator, body })

/** An upload with these rows, refused if not said otherwise. */
const upload = (rows: string, given: Partial<SubmissionRow> = {}): Promise<SubmissionRow> =>
  buildStoredSubmission(
    portal.deps,
    {
      companyId: clerk.companyId!,
      userId: clerk.id,
      dictionaryVersionId: dictionary.versionId,
      status: 2,
      ...(given as object),
    },
    HEADING + rows,
  )

/** An accepted upload whose file is in the company's folder only. */
async function buildIngested(rows: string, by: UserRow = clerk): Promise<SubmissionRow> {
  const { db, storage, ids } = portal.deps
  const content = Buffer.from(HEADING + rows)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const targetPath = `folder-${by.companyId}/2026/11/${ids.uuid()}.csv`
  await storage.put([{ path: targetPath, sha256, source: oneChunk(content) }])
  return buildSubmission(db, {
    companyId: by.companyId!,
    userId: by.id,
    dictionaryVersionId: dictionary.versionId,
    status: 4,
    sha256,
    bytes: content.length,
    targetPath,
    sourceDeletedAt: new Date(),
  })
}

async function begin(body: object): Promise<number> {
  const reply = await call('POST', 'Impact', body)
  expect(reply.statusCode, reply.body).toBe(202)
  return reply.json().value.id
}
const read = async (id: number): Promise<Impact> => (await call('GET', `Impact/${id}`)).json().value
async function tryOut(body: object): Promise<Impact & { id: number }> {
  const id = await begin(body)
  await tryImpacts(portal.deps, running)
  return { id, ...(await read(id)) }
}

describe('What a change would do', () => {
  it('is found out for refused uploads and for accepted ones in the folder of their company', async () => {
    const refused = await upload('Ada,x\nBob,5\n')
    const other = await buildUser(portal.deps.db)
    const accepted = await buildIngested('Ada,5\nBob,20\nCy,6\n', other)
    const unchanged = await buildIngested('Ada,50\n')
    const id = await begin({ rules: [noted] })
    expect(portal.wakened.at(-1)).toBe('tryImpacts')
    expect(await read(id)).toEqual({
      state: 'running',
      filesTried: 0,
      filesNotTried: 0,
      filesRefused: 0,
      companies: [],
    })
    await tryImpacts(portal.deps, running)

    const impact = await read(id)
    expect(impact).toMatchObject({ state: 'done', filesTried: 3, filesRefused: 1 })
    const files = impact.companies.flatMap((company) => company.files)
    expect(impact.companies).toHaveLength(2)
    expect(files.find(({ submissionId }) => submissionId === accepted.id)).toEqual({
      submissionId: accepted.id,
      fileName: accepted.fileName,
      uploadedAt: accepted.createdAt.toISOString(),
      statusBefore: 4,
      acceptedAfter: false,
      newErrors: 2,
      gone: 0,
      causes: [
        {
          id: expect.any(String),
          kind: 'rule',
          rule: noted.name,
          severity: 'error',
          columnPosition: 'B',
          label: 'Amount',
          cells: 2,
          rows: 2,
          firstRow: 2,
        },
      ],
    })
    expect(files.find(({ submissionId }) => submissionId === refused.id)).toMatchObject({
      statusBefore: 2,
      acceptedAfter: false,
      newErrors: 1,
      gone: 0,
    })
    expect(files.find(({ submissionId }) => submissionId === unchanged.id)).toMatchObject({
      acceptedAfter: true,
      newErrors: 0,
      causes: [],
    })
  })

  it('is found out for changed fields; a file whose columns do not fit is refused as a whole', async () => {
    await upload('Ada,1.234\n')
    const looser = { ...amount, ruleConfig: { scale: 3 } }
    const { companies } = await tryOut({ fields: items(name, looser) })
    expect(companies[0]!.files).toMatchObject([{ acceptedAfter: true, newErrors: 0, gone: 1 }])
    const more = await tryOut({ fields: items(name, amount, { itemName: 'Note' }) })
    const cause = { kind: 'file', cells: 0, label: null }
    expect(more.companies[0]!.files).toMatchObject([{ acceptedAfter: false, newErrors: 0, causes: [cause] }])
  })

  it('lets a rule follow a field that gets another name, as saving does', async () => {
    await call('PUT', 'Rules', { rules: [noted] })
    await upload('Ada,20\n')
    const { filesTried } = await tryOut({ fields: items(name, { ...amount, itemName: 'Paid' }) })
    expect(filesTried).toBe(1)
  })

  it.for([
    { what: 'faulty rules', body: { rules: [{ ...noted, then: [] }] }, status: 400, key: 'rules[0].then' },
    { what: 'fields that rules do not survive', body: { fields: items(name) }, status: 409 },
    { what: 'fields with the same name', body: { fields: items(name, name) }, status: 400 },
  ])('is refused as saving is: $what', async ({ body, status, key }) => {
    await call('PUT', 'Rules', { rules: [noted] })
    const reply = await call('POST', 'Impact', body)
    expect(reply.statusCode).toBe(status)
    if (status === 409) expect(reply.json().message).toContain(noted.name)
    if (key !== undefined) expect(Object.keys(reply.json().errors)).toEqual([key])
  })

  it('counts a rule that is in force by now, and none that is not yet', async () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const before = { createdAt: new Date(Date.now() - 10 * 86_400_000) }
    await upload('Ada,5\n', { ...before, status: 3 })
    expect(await tryOut({ rules: [{ ...noted, from: day(-2) }] })).toMatchObject({ filesRefused: 1 })
    const ahead = await tryOut({ rules: [{ ...noted, from: day(2) }] })
    const warned = [{ rule: noted.name, severity: 'warning', cells: 1 }]
    expect(ahead).toMatchObject({ filesRefused: 0, companies: [{ files: [{ causes: warned }] }] })
  })

  it('leaves out uploads without their bytes, and the newest 20 are enough', async () => {
    for (let count = 0; count < 21; count++) await upload(`Ada,${count}\n`)
    const [gone, changed, unread] = [
      await upload('Ada,1\n'),
      await buildIngested('Ada,1\n'),
      await upload(''),
    ]
    await portal.deps.storage.delete(sourcePath(gone.storageKey))
    await writeFile(join(portal.deps.env.storageUrl, changed.targetPath!), `${HEADING}Ada,2\n`)
    await portal.deps.db.updateTable('submissions').set({ status: 1 }).where('id', '=', unread.id).execute()
    const { filesTried, filesNotTried, companies } = await tryOut({ rules: [noted] })
    expect([filesTried, filesNotTried]).toEqual([20, 2])
    const ids = companies[0]!.files.map(({ submissionId }) => submissionId)
    for (const { id } of [gone, changed, unread]) expect(ids).not.toContain(id)
  })

  it('is continued where a server stopped or died, with each file once', async () => {
    const { db } = portal.deps
    for (const rows of ['Ada,1\n', 'Ada,2\n', 'Ada,3\n']) await upload(rows)
    const id = await begin({ rules: [noted] })
    const stop = new AbortController()
    const { run } = portal.deps.validator
    const validator: Deps['validator'] = {
      ...portal.deps.validator,
      run: (...request) => run(...request).finally(() => stop.abort()),
    }
    await tryImpacts({ ...portal.deps, validator }, stop.signal)
    expect(await read(id)).toMatchObject({ state: 'running', filesTried: 1 })

    const dead = { leaseUntil: new Date(Date.now() + 20_000) }
    await db.updateTable('impacts').set(dead).where('id', '=', id).execute()
    await tryImpacts(portal.deps, running)
    expect(await read(id)).toMatchObject({ state: 'running', filesTried: 1 })
    const expired = { leaseUntil: new Date(Date.now() - 1000) }
    await db.updateTable('impacts').set(expired).where('id', '=', id).execute()
    await tryImpacts(portal.deps, running)
    expect(await read(id)).toMatchObject({ state: 'done', filesTried: 3 })
  })

  it('ends after a time with what it has found until then', async () => {
    await upload('Ada,1\n')
    const id = await begin({ rules: [noted] })
    const startedAt = new Date(Date.now() - 3_600_000)
    await portal.deps.db.updateTable('impacts').set({ startedAt }).where('id', '=', id).execute()
    await tryImpacts(portal.deps, running)
    expect(await read(id)).toMatchObject({ state: 'done', filesTried: 0 })
  })

  it('shows nothing of companies that are deleted', async () => {
    const other = await buildUser(portal.deps.db)
    const [kept] = [await upload('Ada,1\n'), await buildIngested('Ada,1\n', other)]
    const early = await tryOut({ rules: [noted] })
    expect(early).toMatchObject({ filesTried: 2, filesRefused: 1 })
    await portal.call('DELETE', `/api/Company/${other.companyId}`, { as: portal.administrator })
    for (const { filesTried, filesRefused, companies } of [
      await read(early.id),
      await tryOut({ rules: [noted] }),
    ]) {
      expect([filesTried, filesRefused]).toEqual([1, 0])
      expect(companies[0]!.files).toMatchObject([{ submissionId: kept!.id }])
    }
  })

  it('is refused while 20 others wait', async () => {
    const replies = []
    for (let count = 0; count < 21; count++) replies.push(await call('POST', 'Impact', { rules: [noted] }))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([...Array<number>(20).fill(202), 429])
    expect(replies.at(-1)!.headers['retry-after']).toBe('30')
    await tryImpacts(portal.deps, running)
    expect((await call('POST', 'Impact', { rules: [noted] })).statusCode).toBe(202)
    await tryImpacts(portal.deps, running)
  })

  it('is no longer shown when its dictionary is deleted', async () => {
    const { id } = await tryOut({ rules: [noted] })
    await call('DELETE', '')
    expect((await call('GET', `Impact/${id}`)).statusCode).toBe(404)
  })

  it('is deleted with the reports, after RETENTION_DAYS', async () => {
    await upload('Ada,1\n')
    const [old, young] = [await tryOut({ rules: [noted] }), await tryOut({ rules: [noted] })]
    const createdAt = sql<Date>`now() - interval '91 days'`
    await portal.deps.db.updateTable('impacts').set({ createdAt }).where('id', '=', old.id).execute()
    await tidyDatabase(portal.deps)
    expect((await call('GET', `Impact/${old.id}`)).statusCode).toBe(404)
    expect((await call('GET', `Impact/${young.id}`)).statusCode).toBe(200)
  })
})

describe('A rule that is announced', () => {
  const from = '2999-12-24'
  const rules = async () => (await call('GET', 'Rules')).json().value.rules
  const mails = () =>
    portal.deps.db.selectFrom('mails').select(['recipient', 'subject', 'textBody']).orderBy('id').execute()

  it('is saved as a warning until its day, and the clerks concerned get an e-mail', async () => {
    const { db } = portal.deps
    const colleague = await buildUser(db, { companyId: clerk.companyId! })
    const unconcerned = await buildUser(db)
    await db
      .insertInto('companyDictionaries')
      .values({ companyId: unconcerned.companyId!, dictionaryId: dictionary.id })
      .execute()
    await upload('Ada,5\nBob,6\n', { status: 3 })
    await upload('Ada,7\n')
    await buildIngested('Ada,70\n', unconcerned)
    const { id } = await tryOut({ rules: [noted] })
    const before = (await mails()).length
    const { version } = (await call('GET', 'Rules')).json().value
    const reply = await call('POST', `Impact/${id}/Announce`, { rule: noted.name, from, version })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json().value.mails).toBe(2)
    expect(await rules()).toEqual([{ ...noted, from }])

    const sent = (await mails()).slice(before)
    expect(sent.map(({ recipient }) => recipient)).toEqual([clerk.email, colleague.email])
    expect(sent[0]!.subject).toBe(`From 24 December 2999 on: a rule for files of ${dictionary.name}`)
    expect(sent[0]!.textBody).toContain('3 cells in 2 files')
    expect(sent[0]!.textBody).toContain('"Amount" is at least "10"')

    // Twice is refused, and nobody gets a second e-mail.
    for (const known of [{ version }, {}]) {
      const again = await call('POST', `Impact/${id}/Announce`, { rule: noted.name, from, ...known })
      expect(again.statusCode).toBe(409)
    }
    expect(await mails()).toHaveLength(before + 2)
  })

  it('with a day of its own gets another one, and the clerks its cells that only warned', async () => {
    await upload('Ada,5\nBob,6\n', { status: 3 })
    const { id } = await tryOut({ rules: [{ ...noted, from: '2998-01-01' }] })
    const reply = await call('POST', `Impact/${id}/Announce`, { rule: noted.name, from })
    expect([reply.statusCode, reply.json().value.mails]).toEqual([200, 1])
    expect(await rules()).toEqual([{ ...noted, from }])
    expect((await mails()).at(-1)!.textBody).toContain('2 cells in 1 file')
  })

  it('is named in an e-mail only as far as people read', async () => {
    const values = Array.from({ length: 2000 }, (_, index) => `value ${index}`)
    const long: RowRule = { ...noted, then: [{ column: 'Name', is: 'oneOf', values }] }
    await upload('Ada,5\n', { status: 3 })
    const { id } = await tryOut({ rules: [long] })
    const reply = await call('POST', `Impact/${id}/Announce`, { rule: long.name, from })
    expect(reply.json().value.mails).toBe(1)
    const { textBody } = (await mails()).at(-1)!
    expect(textBody).toContain('"Name" is one of "value 0", "value 1"')
    expect(textBody!.length).toBeLessThan(2000)
  })

  it.for([
    { what: 'its day has come', body: { rule: noted.name, from: '2020-01-01' }, status: 400, key: 'from' },
    { what: 'its day is none', body: { rule: noted.name, from: 'soon' }, status: 400, key: 'from' },
    { what: 'no such day comes', body: { rule: noted.name, from: '2999-02-30' }, status: 400, key: 'from' },
    { what: 'it was not tried', body: { rule: 'Another', from }, status: 404 },
  ])('is refused if $what', async ({ body, status, key }) => {
    const { id } = await tryOut({ rules: [noted] })
    const reply = await call('POST', `Impact/${id}/Announce`, body)
    expect(reply.statusCode).toBe(status)
    if (key !== undefined) expect(Object.keys(reply.json().errors)).toEqual([key])
    expect(await rules()).toEqual([])
  })

  it('is refused if it is a warning, which needs no day', async () => {
    const { id } = await tryOut({ rules: [{ ...noted, severity: 'warning' }] })
    const reply = await call('POST', `Impact/${id}/Announce`, { rule: noted.name, from })
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([400, ['rule']])
    expect(await rules()).toEqual([])
  })

  it('waits until the files are validated', async () => {
    const id = await begin({ rules: [noted] })
    const body = { rule: noted.name, from }
    expect((await call('POST', `Impact/${id}/Announce`, body)).statusCode).toBe(409)
    await tryImpacts(portal.deps, running)
  })
})

it('A dictionary names the companies that use it', async () => {
  const { db } = portal.deps
  const company = await buildCompany(db, { name: 'aa first' })
  await db
    .insertInto('companyDictionaries')
    .values({ companyId: company.id, dictionaryId: dictionary.id })
    .execute()
  const { companies } = (await call('GET', '')).json().value
  expect(companies.map(({ id }: { id: number }) => id)).toEqual([company.id, clerk.companyId])
})
