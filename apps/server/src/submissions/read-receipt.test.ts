import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Receipt } from '@veridict/contract/api/receipts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureSigningKey, findSigningKey, replaceSigningKey } from '#platform/signing/receipt-keys.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { uploadForm } from '#test/upload-form.ts'
import { buildCompanyToken, buildDictionary, buildSubmission, buildUser } from '#test/factories.ts'
import { ingestSubmission, validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const program = fileURLToPath(new URL('../../../cli/src/main.mjs', import.meta.url))
const content = 'Name,Amount\nAda,1.50\n'
const accepted = {
  fileName: 'clàims may.csv',
  status: SubmissionStatus.IngestionSuccess,
  bytes: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
  recordsCount: 1,
  targetPath: 'northwind/2026/11/7_claims-may.csv',
}

let portal: TestApp
let address: string
beforeAll(async () => {
  portal = await createTestApp()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(portal.app.server.address() as AddressInfo).port}`
})
afterAll(() => portal.close())

const submit = (given: object = {}) =>
  buildSubmission(portal.deps.db, { ...accepted, userId: portal.clerk.id, ...given })
const read = (id: number, as = portal.clerk) =>
  portal.call('GET', `/api/FileSubmission/${id}/Receipt`, { as })
const receiptOf = async (id: number): Promise<Receipt> => (await read(id)).json().value
const rename = (id: number, email: string) =>
  portal.call('PUT', `/api/User/${id}`, { as: portal.administrator, body: { id, name: 'Renamed', email } })
const keySet = async () => (await portal.app.inject('/.well-known/veridict-receipts')).json()
const inDataDir = (name: string) => join(portal.deps.env.dataDir, name)

/** Runs `veridict receipt verify` on the file's content and a receipt. */
async function verify(receipt: object, keys: readonly string[] = ['--url', address], bytes = content) {
  await writeFile(inDataDir('file.csv'), bytes)
  await writeFile(inDataDir('receipt.json'), JSON.stringify(receipt))
  const args = [program, 'receipt', 'verify', inDataDir('file.csv'), inDataDir('receipt.json'), ...keys]
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

describe('The receipt of an accepted file', () => {
  it('has every fact, and is signed with the published key', async () => {
    const submission = await submit()
    const reply = await read(submission.id)
    expect(reply.statusCode).toBe(200)
    const { keys } = await keySet()
    expect(reply.json().value).toEqual({
      fileName: 'clàims may.csv',
      sha256: accepted.sha256,
      size: 21,
      recordsCount: 1,
      dictionary: expect.stringMatching(/^Dictionary /),
      dictionaryVersion: 1,
      uploadedBy: portal.clerk.email,
      uploadedAt: submission.createdAt.toISOString(),
      status: 4,
      storedAs: 'northwind/2026/11/7_claims-may.csv',
      portal: 'http://localhost:3000',
      signature: expect.stringMatching(/^[\w-]{86}$/),
      keyId: keys[0].kid,
    })
    expect(await verify(reply.json().value)).toMatchObject({ code: 0 })
  })

  it('has the same bytes each time, whatever changes', async () => {
    const uploader = await buildUser(portal.deps.db, { companyId: portal.clerk.companyId })
    const { id } = await submit({ userId: uploader.id })
    const first = await Promise.all([1, 2, 3, 4].map(() => read(id)))
    await replaceSigningKey(portal.deps)
    await rename(uploader.id, 'renamed@example.test')
    const bodies = [...first, await read(id)].map(({ body }) => body)
    expect(new Set(bodies)).toEqual(new Set([first[0].body]))
    expect(first[0].json().value).toMatchObject({ uploadedBy: uploader.email })
    expect(await verify(first[0].json())).toMatchObject({ code: 0 })
  })

  it.for([0, 1, 2, 3, 5, 6] as const)('does not exist in status %s: 409', async (status) => {
    const { id } = await submit({ status })
    const reply = await read(id)
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toEqual({ message: 'Only an accepted file has a receipt.' })
  })

  it('is for its own company only, whatever the status: 404', async () => {
    const otherCompanyUser = await buildUser(portal.deps.db)
    for (const status of [SubmissionStatus.IngestionSuccess, SubmissionStatus.ValidationFailed]) {
      const { id } = await submit({ status })
      expect((await read(id, otherCompanyUser)).statusCode).toBe(404)
    }
  })

  it('still names an uploader who was deleted', async () => {
    const colleague = await buildUser(portal.deps.db, { companyId: portal.clerk.companyId })
    const { id } = await submit({ userId: colleague.id })
    await portal.call('DELETE', `/api/User/${colleague.id}`, { as: portal.administrator })
    expect((await receiptOf(id)).uploadedBy).toBe(colleague.email)
  })

  it('names the token with which the file was uploaded', async () => {
    const companyId = portal.clerk.companyId ?? 0
    const token = await buildCompanyToken(portal.deps, companyId)
    const { id } = await submit({ companyId, userId: null, tokenId: token.id })
    expect((await receiptOf(id)).uploadedBy).toBe(`token ${token.name}`)
  })
})

describe('A file that is accepted', () => {
  const running = new AbortController().signal
  const accept = async (as: UserRow | string) => {
    const { id: dictionaryId } = await buildDictionary(portal.deps.db, {
      companyId: portal.clerk.companyId ?? 0,
    })
    const form = await uploadForm(['dataDictionaryId', `${dictionaryId}`], ['file', content, 'may.csv'])
    const { id } = (await portal.call('POST', '/api/FileSubmission', { as, ...form })).json().value
    await validateSubmission(id, portal.deps, running)
    await ingestSubmission(id, portal.deps, running)
    return id as number
  }
  const stored = async (id: number) => (await findStored(id))?.receipt ?? null
  const findStored = (id: number) =>
    portal.deps.db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst()
  const historyOf = async (id: number) =>
    (await portal.call('GET', `/api/FileSubmission/${id}`, { as: portal.clerk })).json().value.uploadedBy

  it('has its receipt at once, with its uploader as of the upload; so has the history', async () => {
    const uploader = await buildUser(portal.deps.db, { companyId: portal.clerk.companyId })
    const id = await accept(uploader)
    const receipt = (await stored(id)) ?? ''
    await rename(uploader.id, 'other@example.test')
    expect((await read(id)).body).toBe(`{"value":${receipt}}`)
    expect(JSON.parse(receipt)).toMatchObject({ uploadedBy: uploader.email, status: 4, size: 21 })
    expect(await verify(JSON.parse(receipt))).toMatchObject({ code: 0 })
    expect(await historyOf(id)).toBe(uploader.name)
  })

  it('names a token, also one of before with the name of a clerk, never as a person', async () => {
    const name = portal.clerk.email
    const { token } = await buildCompanyToken(portal.deps, portal.clerk.companyId ?? 0, { name })
    expect((await receiptOf(await accept(token))).uploadedBy).toBe(`token ${name}`)
  })

  it('is accepted also if its receipt cannot be signed, which is then made at the first call', async () => {
    const broken = { id: 'broken', publicKey: 'x', privateKey: 'x', createdAt: new Date(Date.now() + 1000) }
    await portal.deps.db.insertInto('receiptKeys').values(broken).execute()
    const id = await accept(portal.clerk)
    await portal.owner.deleteFrom('receiptKeys').where('id', '=', 'broken').execute()
    expect(await findStored(id)).toMatchObject({ status: 4, receipt: null })
    const receipt = await receiptOf(id)
    expect(await verify(receipt)).toMatchObject({ code: 0 })
    expect(JSON.parse((await stored(id)) ?? '')).toEqual(receipt)
  })
})

describe('Checking a receipt', () => {
  // A member that one side leaves out of what is signed would fail every receipt, so three are enough.
  it('fails (1) when a member was changed, with published keys and with a file of keys', async () => {
    const receipt = await receiptOf((await submit()).id)
    await writeFile(inDataDir('keys.json'), JSON.stringify(await keySet()))
    for (const name of ['keyId', 'size', 'fileName'] as const) {
      const value = receipt[name]
      const changed = { ...receipt, [name]: typeof value === 'number' ? value + 1 : `${value}x` }
      const places = [
        ['--url', address],
        ['--keys', inDataDir('keys.json')],
      ]
      for (const keys of places) {
        const { code, output } = await verify(changed, keys)
        expect({ name, keys, code }).toEqual({ name, keys, code: 1 })
        expect(output).toMatch(name === 'keyId' && keys[0] === '--url' ? /never had the key/ : /signature/)
      }
    }
  }, 120_000)

  it('fails (1) when a member was added or removed', async () => {
    const { storedAs: _, ...shorter } = await receiptOf((await submit()).id)
    expect((await verify(shorter)).code).toBe(1)
    expect((await verify({ ...shorter, storedAs: _, note: 'added' })).code).toBe(1)
  })

  it('fails (1) for another file, and says so', async () => {
    const receipt = await receiptOf((await submit()).id)
    const other = await verify(receipt, undefined, `${content} `)
    expect(other).toMatchObject({ code: 1 })
    expect(other.output).toContain('The file has 22 bytes; the receipt says 21.')
    expect(other.output).not.toContain('signature')
  })

  it('still works after another key signs', async () => {
    const old = await receiptOf((await submit()).id)
    await replaceSigningKey(portal.deps)
    const fresh = await receiptOf((await submit()).id)
    expect(fresh.keyId).not.toBe(old.keyId)
    for (const receipt of [old, fresh]) expect((await verify(receipt)).code).toBe(0)
  })
})

describe('The keys of receipts', () => {
  it('are published without their private half', async () => {
    const { privateKey } = await ensureSigningKey(portal.deps)
    const reply = await portal.app.inject('/.well-known/veridict-receipts')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).not.toContain(privateKey)
    for (const key of reply.json().keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })

  it('are made once, also when several servers start at the same time', async () => {
    await portal.owner.deleteFrom('receiptKeys').execute()
    const keys = await Promise.all(Array.from({ length: 8 }, () => ensureSigningKey(portal.deps)))
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
    expect((await findSigningKey(portal.deps.db))?.id).toBe(keys[0].id)
  })
})
