import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uploadLimits } from '@veridict/contract/limits'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { SubmissionRow, UserRow } from '#platform/database/tables.ts'
import { AppError } from '#errors.ts'
import { findVersionFields } from '#dictionaries/dictionaries.ts'
import { markSourceDeleted } from '#submissions/submission-sources.ts'
import { createLateCommitProxy } from '#test/late-commit-proxy.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { buildCompanyToken, buildDictionary, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { uploadForm, type FormPart } from '#test/upload-form.ts'

const storedPath = (path: string) => join(portal.deps.env.storageUrl, path)
let portal: TestApp
let dictionaryId: number

beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000 })
  const { id } = await buildDictionary(portal.deps.db, { companyId: portal.clerk.companyId ?? 0 })
  dictionaryId = id
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves cascade`.execute(portal.owner)
  portal.events.length = 0
})

const csv = 'Name,Amount\nAda,1.50\n'
const upload = async (...parts: FormPart[]) => {
  const { body, headers } = await uploadForm(...parts)
  return portal.call('POST', '/api/FileSubmission', { as: portal.clerk, body, headers })
}
const withDictionary = (): FormPart => ['dataDictionaryId', String(dictionaryId)]
const storedFiles = async () => {
  const entries = await readdir(portal.deps.env.storageUrl, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.name')
  return files.map((entry) => join(entry.parentPath, entry.name))
}
const rows = () => portal.deps.db.selectFrom('submissions').selectAll().orderBy('id').execute()

async function* oneChunk(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

async function expectNothingKept(before: string[]) {
  expect(await storedFiles()).toEqual(before)
  expect(await rows()).toEqual([])
  expect(portal.events).toEqual([])
}

describe('The turn of an upload', () => {
  it('counts the files of its company that wait, and begins at the first one that waits', async () => {
    const { db } = portal.deps
    const companies = [portal.clerk, await buildUser(db), await buildUser(db)]
    const dictionaries: number[] = []
    for (const { companyId } of companies)
      dictionaries.push((await buildDictionary(db, { companyId: companyId ?? 0 })).id)
    const uploadOf = async (company: number) => {
      const [as, dictionary] = [companies[company], dictionaries[company]]
      const form = await uploadForm(['dataDictionaryId', String(dictionary)], ['file', csv, 'claims.csv'])
      await portal.call('POST', '/api/FileSubmission', { as, body: form.body, headers: form.headers })
      return (await rows()).at(-1)?.turn
    }
    const start = (turn: number) =>
      db.updateTable('submissions').set({ status: 1 }).where('turn', '=', turn).execute()
    expect([await uploadOf(0), await uploadOf(0), await uploadOf(0), await uploadOf(1)]).toEqual([0, 1, 2, 0])
    await start(0)
    expect([await uploadOf(1), await uploadOf(1), await uploadOf(0), await uploadOf(2)]).toEqual([1, 2, 3, 1])
    for (const turn of [1, 2, 3]) await start(turn)
    expect(await uploadOf(0)).toBe(0)
  })

  it('of a colleague begins beside the first file of the company that waits', async () => {
    const { db } = portal.deps
    const { companyId } = portal.clerk
    const colleague = await buildUser(db, { companyId })
    const dictionary = await buildDictionary(db, { companyId: companyId ?? 0 })
    const { token } = await buildCompanyToken(portal.deps, companyId ?? 0)
    const uploadAs = async (as: UserRow | string) => {
      const form = await uploadForm(['dataDictionaryId', String(dictionary.id)], ['file', csv, 'claims.csv'])
      await portal.call('POST', '/api/FileSubmission', { as, body: form.body, headers: form.headers })
      return (await rows()).at(-1)?.turn
    }
    for (const turn of [0, 1, 2, 3]) expect(await uploadAs(portal.clerk)).toBe(turn)
    await db.updateTable('submissions').set({ status: 1 }).where('turn', '<', 2).execute()
    expect([await uploadAs(colleague), await uploadAs(colleague)]).toEqual([2, 3])
    expect([await uploadAs(token), await uploadAs(token)]).toEqual([2, 3])
    expect(await uploadAs(portal.clerk)).toBe(4)
  })
})

describe('An upload', () => {
  it('gets 202 once row, history, job and bytes are stored', async () => {
    const response = await upload(withDictionary(), ['file', csv, 'claims.csv'])
    expect(response.statusCode).toBe(202)
    const [row] = await rows()
    expect(response.json()).toEqual({ value: { id: row?.id, fileName: 'claims.csv', status: 0 } })
    expect(row).toMatchObject({
      userId: portal.clerk.id,
      companyId: portal.clerk.companyId,
      bytes: csv.length,
      fileKind: 'csv',
      status: 0,
    })
    expect(row?.sha256).toBe(createHash('sha256').update(csv).digest('hex'))
    expect(await readFile(storedPath(`.sources/${row?.storageKey}`), 'utf8')).toBe(csv)
    expect(portal.events).toMatchObject([{ FileId: row?.id, FilesStatus: 0 }])
    const moves = await portal.deps.db.selectFrom('submissionMoves').selectAll().execute()
    expect(moves).toMatchObject([{ submissionId: row?.id, fromStatus: null, toStatus: 0 }])
  })

  it('may name its dictionary after the file', async () => {
    expect((await upload(['file', csv, 'claims.csv'], withDictionary())).statusCode).toBe(202)
  })

  it('freezes the dictionary once per revision', async () => {
    for (let round = 0; round < 3; round++) await upload(withDictionary(), ['file', csv, 'claims.csv'])
    const versions = new Set((await rows()).map((row) => row.dictionaryVersionId))
    expect(versions.size).toBe(1)
    const fields = await findVersionFields(portal.deps.db, [...versions][0] ?? 0)
    expect(fields.map(({ name }) => name)).toEqual(['Name', 'Amount'])
  })

  it('accepts 26,214,400 bytes and not one more', async () => {
    const before = await storedFiles()
    const largest = Buffer.alloc(uploadLimits.maxBytes, 'a')
    const tooLarge = await upload(withDictionary(), [
      'file',
      Buffer.concat([largest, Buffer.from('a')]),
      'claims.csv',
    ])
    expect([tooLarge.statusCode, tooLarge.json()]).toEqual([413, { message: uploadMessages.tooLarge }])
    await expectNothingKept(before)
    expect((await upload(withDictionary(), ['file', largest, 'claims.csv'])).statusCode).toBe(202)
  })
})

describe('A refused upload stores nothing', () => {
  const file: FormPart = ['file', csv, 'claims.csv']
  const pdf = '%PDF-1.7\n'
  it.for<{ why: string; parts: () => FormPart[]; status: number; body?: object }>([
    {
      why: 'no dictionary',
      parts: () => [file],
      status: 400,
      body: { errors: { dataDictionaryId: [uploadMessages.dictionaryRequired] } },
    },
    {
      why: 'a dictionary that is not a number',
      parts: () => [['dataDictionaryId', '1 OR 1=1'], file],
      status: 400,
    },
    {
      why: 'a dictionary that does not exist',
      parts: () => [['dataDictionaryId', '999999'], file],
      status: 400,
      body: { errors: { dataDictionaryId: [uploadMessages.dictionaryGone] } },
    },
    {
      why: 'no file',
      parts: () => [withDictionary()],
      status: 400,
      body: { errors: { file: [uploadMessages.fileRequired] } },
    },
    {
      why: 'an empty file',
      parts: () => [withDictionary(), ['file', '', 'claims.csv']],
      status: 400,
      body: { errors: { file: [uploadMessages.fileEmpty] } },
    },
    {
      why: 'an old workbook',
      parts: () => [withDictionary(), ['file', csv, 'claims.xls']],
      status: 415,
      body: { message: uploadMessages.wrongType },
    },
    {
      why: 'no ending',
      parts: () => [withDictionary(), ['file', csv, 'claims']],
      status: 415,
      body: { message: uploadMessages.wrongType },
    },
    {
      why: 'a program by its name',
      parts: () => [withDictionary(), ['file', csv, 'claims.csv.exe']],
      status: 415,
    },
    {
      why: 'a document by its bytes',
      parts: () => [withDictionary(), ['file', pdf, 'claims.csv']],
      status: 415,
      body: { message: uploadMessages.wrongType },
    },
    {
      why: 'two files',
      parts: () => [withDictionary(), file, file],
      status: 400,
      body: { message: uploadMessages.oneFileOnly },
    },
    {
      why: 'a file under another name',
      parts: () => [withDictionary(), ['data', csv, 'claims.csv']],
      status: 400,
    },
  ])('with $why ($status)', async ({ parts, status, body }) => {
    const before = await storedFiles()
    const response = await upload(...parts())
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject(body ?? {})
    await expectNothingKept(before)
  })

  it('with a dictionary of another company', async () => {
    const before = await storedFiles()
    const other = await buildUser(portal.deps.db)
    const theirs = await buildDictionary(portal.deps.db, { companyId: other.companyId ?? 0 })
    const response = await upload(['dataDictionaryId', String(theirs.id)], file)
    expect(response.statusCode).toBe(400)
    await expectNothingKept(before)
  })

  it('with a deleted dictionary', async () => {
    const before = await storedFiles()
    const deleted = await buildDictionary(portal.deps.db, { companyId: portal.clerk.companyId ?? 0 })
    await portal.deps.db
      .updateTable('dictionaries')
      .set({ deletedAt: new Date() })
      .where('id', '=', deleted.id)
      .execute()
    expect((await upload(['dataDictionaryId', String(deleted.id)], file)).statusCode).toBe(400)
    await expectNothingKept(before)
  })

  it('with a truncated form', async () => {
    const before = await storedFiles()
    const { body, headers } = await uploadForm(withDictionary(), file)
    const response = await portal.call('POST', '/api/FileSubmission', {
      as: portal.clerk,
      body: body.subarray(0, -30),
      headers,
    })
    expect([response.statusCode, response.json()]).toEqual([400, { message: uploadMessages.malformed }])
    await expectNothingKept(before)
  })

  it('if its event cannot be published', async () => {
    const before = await storedFiles()
    const { bus } = portal.deps
    portal.deps.bus = { ...bus, publish: () => Promise.reject(new Error('no bus')) }
    const response = await upload(withDictionary(), file)
    portal.deps.bus = bus
    expect(response.statusCode).toBe(500)
    await expectNothingKept(before)
  })

  /** No file of other tests is still to be copied to its company's folder. */
  const forgetCopies = () => portal.deps.db.updateTable('submissions').set({ status: 2 }).execute()

  it('on a disk that has less free space than is to be left, before the bytes are received', async () => {
    const before = await storedFiles()
    const { storage } = portal.deps
    onTestFinished(() => void (portal.deps.storage = storage))
    let free = 511
    const space = async () => ({ free: free * 1024 * 1024, total: 1024 ** 4 })
    portal.deps.storage = { ...storage, space, stage: () => Promise.reject(new Error('bytes were received')) }
    const response = await upload(withDictionary(), file)
    expect([response.statusCode, response.json()]).toEqual([507, { message: uploadMessages.storageFull }])
    await expectNothingKept(before)
    await forgetCopies()
    free = 513
    portal.deps.storage = { ...storage, space }
    expect((await upload(withDictionary(), file)).statusCode).toBe(202)
  })

  it('on a disk that fills while the bytes are received', async () => {
    const before = await storedFiles()
    const { storage } = portal.deps
    onTestFinished(() => void (portal.deps.storage = storage))
    let looks = 0
    const space = async () => ({ free: looks++ === 0 ? 1024 ** 3 : 0, total: 1024 ** 4 })
    portal.deps.storage = { ...storage, space }
    const response = await upload(withDictionary(), ['file', 'x'.repeat(5 * 1024 * 1024), 'claims.csv'])
    expect([response.statusCode, response.json()]).toEqual([507, { message: uploadMessages.storageFull }])
    await expectNothingKept(before)
  })

  it('only below 5 % of a small disk', async () => {
    const { storage } = portal.deps
    onTestFinished(() => void (portal.deps.storage = storage))
    await forgetCopies()
    portal.deps.storage = { ...storage, space: async () => ({ free: 51_000, total: 1_000_000 }) }
    expect((await upload(withDictionary(), file)).statusCode).toBe(202)
    portal.deps.storage = { ...storage, space: async () => ({ free: 49_999, total: 1_000_000 }) }
    expect((await upload(withDictionary(), file)).statusCode).toBe(507)
  })

  it('beyond the quota of the company, also of many at once, until a source is deleted', async () => {
    const before = await storedFiles()
    const { env, db } = portal.deps
    const quota = env.companyQuotaMegabytes
    onTestFinished(() => void (env.companyQuotaMegabytes = quota))
    env.companyQuotaMegabytes = 1
    const third: FormPart = ['file', `Name,Amount\n${'Ada,1\n'.repeat(50_000)}`, 'claims.csv']
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload(withDictionary(), third)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 202)
    expect(refused).toHaveLength(5)
    for (const reply of refused)
      expect([reply.statusCode, reply.json()]).toEqual([507, { message: uploadMessages.quotaReached(1) }])
    expect(await storedFiles()).toHaveLength(before.length + 3)
    expect([await rows(), portal.events].map(({ length }) => length)).toEqual([3, 3])

    const otherCompanyUser = await buildUser(db)
    const { id } = await buildDictionary(db, { companyId: otherCompanyUser.companyId ?? 0 })
    const { body, headers } = await uploadForm(['dataDictionaryId', String(id)], third)
    const ofOther = await portal.call('POST', '/api/FileSubmission', { as: otherCompanyUser, body, headers })
    expect(ofOther.statusCode).toBe(202)

    expect((await upload(withDictionary(), third)).statusCode).toBe(507)
    await markSourceDeleted(db, (await rows())[0]?.id ?? 0)
    expect((await upload(withDictionary(), third)).statusCode).toBe(202)
  })

  it('if the client disconnects before the commit: the upload was canceled', async () => {
    const before = await storedFiles()
    const client = new AbortController()
    const { bus } = portal.deps
    portal.deps.bus = { ...bus, publish: async () => client.abort() }
    const parts = async function* () {
      yield { kind: 'field', name: 'dataDictionaryId', value: String(dictionaryId) } as const
      yield { kind: 'file', name: 'file', fileName: 'claims.csv', content: oneChunk(csv) } as const
    }
    const { id: userId, companyId, name, email } = portal.clerk
    const uploader = { userId, companyId: companyId ?? 0, name, email }
    const accepted = acceptUpload(parts(), uploader, portal.deps, client.signal)
    await expect(accepted).rejects.toBeInstanceOf(AppError)
    portal.deps.bus = bus
    await expectNothingKept(before)
  })

  it('that the database refuses, also with its last statement; it may be sent again', async () => {
    const before = await storedFiles()
    await sql
      .raw(
        `create function disk_full() returns trigger language plpgsql as
          'begin raise exception ''full'' using errcode = ''53100''; end';
        create trigger disk_full before insert on audit_entries execute function disk_full()`,
      )
      .execute(portal.owner)
    const response = await upload(withDictionary(), ['file', csv, 'claims.csv'])
    await sql.raw('drop function disk_full cascade').execute(portal.owner)
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBeDefined()
    portal.events.length = 0
    await expectNothingKept(before)
  })

  it('of an administrator, who has no company', async () => {
    const { body, headers } = await uploadForm(withDictionary(), file)
    const response = await portal.call('POST', '/api/FileSubmission', {
      as: portal.administrator,
      body,
      headers,
    })
    expect(response.statusCode).toBe(403)
  })
})

describe('An upload whose commit is uncertain', () => {
  it('keeps its bytes, because the row may appear after the client was refused', async () => {
    const proxy = await createLateCommitProxy(portal.deps.env.databaseUrl)
    const { db } = portal.deps
    portal.deps.db = openDatabase(proxy.url)
    const response = await upload(withDictionary(), ['file', csv, 'claims.csv'])
    await portal.deps.db.destroy()
    portal.deps.db = db
    expect(response.statusCode).toBe(503)
    // A program must not send the file again: see below, it arrives.
    expect(response.headers['retry-after']).toBeUndefined()
    expect(response.json()).toEqual({ message: uploadMessages.outcomeUnknown })
    expect(await rows()).toEqual([])

    proxy.passCommit()
    await expect.poll(rows).toHaveLength(1)
    const [{ storageKey }] = (await rows()) as [SubmissionRow]
    expect(await readFile(storedPath(`.sources/${storageKey}`), 'utf8')).toBe(csv)
    await proxy.close()
  })
})

describe('A file name is only a label', () => {
  it.for([
    { sent: '../../etc/x.csv', label: 'x.csv' },
    { sent: '..\\..\\x.csv', label: 'x.csv' },
    { sent: 'CLAIMS.CSV', label: 'CLAIMS.CSV' },
    { sent: 'cod\u202Evsc.csv', label: 'codvsc.csv' },
    { sent: 'u\u0308ber 漢 👍.csv', label: 'über 漢 👍.csv' },
    { sent: '<img src=x onerror=alert(1)>.csv', label: '<img src=x onerror=alert(1)>.csv' },
    { sent: 'CON.csv', label: 'CON.csv' },
    { sent: `${'a'.repeat(5000)}.csv`, label: `${'a'.repeat(195)}….csv` },
  ])('$sent', async ({ sent, label }) => {
    const response = await upload(withDictionary(), ['file', csv, sent])
    expect(response.statusCode).toBe(202)
    expect(response.json().value.fileName).toBe(label)
    const [row] = await rows()
    expect(row?.storageKey).toMatch(/^[0-9a-f-]{36}$/)
  })
})
