import { randomUUID } from 'node:crypto'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleValidation } from '#submissions/settle-validation.ts'
import {
  buildAdministrator,
  buildCompany,
  buildCompanyToken,
  buildDictionary,
  buildSubmission,
  buildUser,
} from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { csvOfTwoRows } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp, type TestCall } from '#test/test-app.ts'
import { uploadForm } from '#test/upload-form.ts'

const UPLOADS_AT_ONCE = 4

let portal: TestApp
let companyId: number
let dictionary: { id: number; name: string }
beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: UPLOADS_AT_ONCE / 2 })
  companyId = portal.clerk.companyId ?? 0
  dictionary = await buildDictionary(portal.deps.db, { companyId })
})
afterAll(() => portal.close())

const url = (id = companyId) => `/api/Company/${id}/Token`
const create = (body: unknown, id = companyId) =>
  portal.call('POST', url(id), { as: portal.administrator, body })
const list = async (id = companyId) =>
  (await portal.call('GET', url(id), { as: portal.administrator })).json().value
const revoke = (id: number, ofCompany = companyId) =>
  portal.call('DELETE', `${url(ofCompany)}/${id}`, { as: portal.administrator })
const buildToken = (given: Parameters<typeof buildCompanyToken>[2] = {}) =>
  buildCompanyToken(portal.deps, companyId, given)
const upload = async (as: string) => {
  const form = await uploadForm(['dataDictionaryId', String(dictionary.id)], ['file', csvOfTwoRows, 'a.csv'])
  return portal.call('POST', '/api/FileSubmission', { as, ...form })
}
const get = (path: string, as: TestCall['as']) => portal.call('GET', path, { as })
const history = async (as: TestCall['as'], path = '/api/FileSubmission') =>
  (await get(path, as)).json().value.data as { id: number; uploadedBy: string }[]
const statusOf = async (as: string) => (await get('/api/FileSubmission', as)).statusCode
const rowOf = (id: number) =>
  portal.deps.db.selectFrom('companyTokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('A token that is created', () => {
  it('is in this reply only, and the database has its hash', async () => {
    const reply = await create({ name: ' Nightly export ', expiresInDays: 366 })
    expect(reply.statusCode).toBe(201)
    const { id, name, expiresAt, token } = reply.json().value
    expect(name).toBe('Nightly export')
    // 32 bytes in base64url.
    expect(token).toMatch(/^vdt_[\w-]{43}$/)
    expect(Date.parse(expiresAt) - Date.now()).toBeCloseTo(366 * 86_400_000, -6)
    const row = await rowOf(id)
    expect(row.tokenHash).toBe(portal.deps.tokens.hashSecret(token))
    expect(JSON.stringify(row)).not.toContain(token.slice(4))
    expect(JSON.stringify(await list())).not.toContain(token.slice(4))
    expect(await statusOf(token)).toBe(200)
  })

  it.for([
    { given: { name: ' ', expiresInDays: 1 }, field: 'name', message: companyTokenMessages.nameRequired },
    { given: { name: 'a\nb', expiresInDays: 1 }, field: 'name', message: noticeMessages.invalidValue },
    ...['clerk@example.com', 'a＠b'].map((name) => ({
      given: { name, expiresInDays: 1 },
      field: 'name',
      message: companyTokenMessages.nameLikeEmail,
    })),
    ...[0, 367, 1.5, '7', null, undefined].map((expiresInDays) => ({
      given: { name: 'A', expiresInDays },
      field: 'expiresInDays',
      message: companyTokenMessages.daysInvalid(366),
    })),
    ...['write', '', null, ['upload']].map((scope) => ({
      given: { name: 'A', expiresInDays: 1, scope },
      field: 'scope',
      message: noticeMessages.invalidValue,
    })),
  ])('is refused with $given', async ({ given, field, message }) => {
    const reply = await create(given)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().errors).toEqual({ [field]: [message] })
  })

  it('has its scope and its maker in the list; the scope is both unless one is given', async () => {
    for (const scope of [undefined, 'upload', 'read'] as const) {
      await create({ name: 'A', expiresInDays: 1, scope })
      expect((await list())[0]).toMatchObject({
        scope: scope ?? 'both',
        createdBy: portal.administrator.email,
      })
    }
  })

  it('keeps the e-mail that its maker had', async () => {
    const maker = await buildAdministrator(portal.deps.db)
    const form = { name: 'A', expiresInDays: 1 }
    await portal.call('POST', url(), { as: maker, body: form })
    const renamed = portal.deps.db.updateTable('users').set({ email: `new-${maker.email}` })
    await renamed.where('id', '=', maker.id).execute()
    expect((await list())[0]).toMatchObject({ createdBy: maker.email })
  })

  it('of a version that did not record them may do both, and its maker is unknown', async () => {
    await buildToken()
    expect((await list())[0]).toMatchObject({ scope: 'both', createdBy: null })
  })

  it('needs a company that exists', async () => {
    const { id } = await buildCompany(portal.deps.db, { deletedAt: new Date() })
    for (const missing of [id, 2_000_000_000]) {
      expect((await create({ name: 'A', expiresInDays: 1 }, missing)).statusCode).toBe(404)
      expect((await get(url(missing), portal.administrator)).statusCode).toBe(404)
    }
  })
})

describe('A token', () => {
  it('uploads, sees the status and the history, and is named as the uploader', async () => {
    const { token, name } = await buildToken({ name: 'Nightly export' })
    const reply = await upload(token)
    expect(reply.statusCode).toBe(202)
    const { id } = reply.json().value
    for (const as of [token, portal.clerk])
      expect((await history(as)).find((file) => file.id === id)).toMatchObject({ uploadedBy: name })
    expect((await get(`/api/FileSubmission/${id}`, token)).json().value).toMatchObject({
      id,
      fileName: 'a.csv',
      status: SubmissionStatus.Uploaded,
      uploadedBy: name,
    })
    expect((await get('/api/DataDictionary/GetListForSelection', token)).json().value).toEqual([
      { id: dictionary.id, name: dictionary.name },
    ])
  })

  it('does not see what belongs to another company', async () => {
    const { token } = await buildToken()
    const other = await buildSubmission(portal.deps.db, { status: SubmissionStatus.ValidationFailed })
    for (const path of [`FileSubmission/${other.id}`, `FileSubmission/${other.id}/Errors`])
      expect((await get(`/api/${path}`, token)).statusCode).toBe(404)
    expect((await get(`/api/ErrorFile/${other.id}/Simple`, token)).statusCode).toBe(404)
    const foreign = await buildDictionary(portal.deps.db)
    const form = await uploadForm(['dataDictionaryId', String(foreign.id)], ['file', csvOfTwoRows, 'a.csv'])
    expect((await portal.call('POST', '/api/FileSubmission', { as: token, ...form })).statusCode).toBe(400)
  })

  it('with the scope upload sees its own uploads only, and nothing of what is in a file', async () => {
    const [own, other] = [await buildToken({ scope: 'upload' }), await buildToken()]
    const [mine, foreign] = [await upload(own.token), await upload(other.token)].map(
      (reply) => reply.json().value.id as number,
    )
    expect((await history(own.token)).map(({ id }) => id)).toEqual([mine])
    const status = async (id: number | undefined) => get(`/api/FileSubmission/${id}`, own.token)
    expect((await status(mine)).json().value).toMatchObject({ status: 0, errorType: null })
    expect((await status(foreign)).statusCode).toBe(404)
    const retry = { as: own.token, body: { FileId: foreign } }
    const retried = await portal.call('POST', '/api/FileSubmission/retryingestionupload', retry)
    expect(retried.statusCode).toBe(404)
    const errors = await get(`/api/FileSubmission/${mine}/Errors`, own.token)
    expect([errors.statusCode, errors.json()]).toEqual([
      403,
      { message: companyTokenMessages.notInScope.upload },
    ])
  })

  it('with the scope read sees what others uploaded, and uploads nothing', async () => {
    const { token } = await buildToken({ scope: 'read' })
    const { id } = (await upload((await buildToken()).token)).json().value
    expect((await history(token)).map((file) => file.id)).toContain(id)
    const reply = await upload(token)
    expect([reply.statusCode, reply.json()]).toEqual([403, { message: companyTokenMessages.notInScope.read }])
  })

  it.for([
    { why: 'wrong', make: async () => 'vdt_0123456789' },
    { why: 'a prefix of a right one', make: async () => (await buildToken()).token.slice(0, -1) },
    { why: 'expired', make: async () => (await buildToken({ expiresAt: new Date(Date.now() - 1) })).token },
    { why: 'revoked', make: async () => (await buildToken({ revokedAt: new Date() })).token },
  ])('that is $why gets 401', async ({ make }) => {
    const reply = await get('/api/FileSubmission', await make())
    expect(reply.statusCode).toBe(401)
    expect(reply.json()).toEqual({ message: companyTokenMessages.notValid })
  })

  it('needs the API key', async () => {
    const { token } = await buildToken()
    const reply = await portal.call('GET', '/api/FileSubmission', { as: token, apiKey: null })
    expect(reply.statusCode).toBe(401)
  })

  it('ends at once when it is revoked, and its uploads keep its name', async () => {
    const { id, token, name } = await buildToken()
    const submission = (await upload(token)).json().value.id
    expect((await revoke(id)).json().value.message).toBe(companyTokenMessages.revoked)
    expect(await statusOf(token)).toBe(401)
    expect((await history(portal.clerk)).find((file) => file.id === submission)?.uploadedBy).toBe(name)
    expect((await list()).map((item: { id: number }) => item.id)).not.toContain(id)
    expect((await revoke(id)).statusCode).toBe(404)
  })

  it('is not revoked through another company', async () => {
    const { id, token } = await buildToken()
    const other = await buildCompany(portal.deps.db)
    expect((await revoke(id, other.id)).statusCode).toBe(404)
    expect(await statusOf(token)).toBe(200)
  })

  it('ends with its company', async () => {
    const company = await buildCompany(portal.deps.db)
    const { token } = await buildCompanyToken(portal.deps, company.id)
    await portal.call('DELETE', `/api/Company/${company.id}`, { as: portal.administrator })
    expect(await statusOf(token)).toBe(401)
  })

  it('records its last use at most once a minute', async () => {
    const { id, token } = await buildToken()
    expect((await list())[0]).toMatchObject({ id, lastUsedAt: null })
    await statusOf(token)
    const first = (await rowOf(id)).lastUsedAt
    expect((await list())[0].lastUsedAt).toBe(first?.toISOString())
    await statusOf(token)
    expect((await rowOf(id)).lastUsedAt).toEqual(first)
    for (const before of [Date.now() - 61_000, Date.now() + 86_400_000]) {
      const lastUsedAt = new Date(before)
      await portal.deps.db.updateTable('companyTokens').set({ lastUsedAt }).where('id', '=', id).execute()
      await statusOf(token)
      expect((await rowOf(id)).lastUsedAt).not.toEqual(lastUsedAt)
    }
  })

  it('has its own limit of uploads', async () => {
    const [busy, other] = [await buildToken(), await buildToken()]
    for (let sent = 0; sent < UPLOADS_AT_ONCE; sent++) expect((await upload(busy.token)).statusCode).toBe(202)
    const refused = await upload(busy.token)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await upload(other.token)).statusCode).toBe(202)
  })

  it('has a limit of calls', async () => {
    const [busy, other] = [await buildToken(), await buildToken()]
    await fillLimit(portal.deps.db, 'call', `token ${busy.id}`)
    expect(await statusOf(busy.token)).toBe(429)
    expect(await statusOf(other.token)).toBe(200)
  })

  it('gets no e-mail', async () => {
    const { token } = await buildToken()
    const { id } = (await upload(token)).json().value
    const { db } = portal.deps
    const leaseId = randomUUID()
    const started = { status: SubmissionStatus.InProcess, leaseId }
    const update = db.updateTable('submissions').set(started).where('id', '=', id).returningAll()
    const submission = await update.executeTakeFirstOrThrow()
    const problem = { errorType: ErrorType.NoRows, message: 'There are no rows.', details: [] }
    await settleValidation({ submission, leaseId }, { kind: 'fileProblem', problem }, portal.deps)
    const settled = db.selectFrom('submissions').where('id', '=', id).select('status')
    expect(await settled.executeTakeFirst()).toEqual({ status: SubmissionStatus.ValidationFailed })
    expect(await db.selectFrom('mails').selectAll().execute()).toEqual([])
  })
})

describe('The audit trail', () => {
  it('has a token that was created and revoked, and nothing that would work', async () => {
    const { id, token } = (await create({ name: 'Audited', expiresInDays: 1 })).json().value
    await revoke(id)
    const entries = await portal.deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('subject', '=', 'Audited')
      .orderBy('id')
      .execute()
    expect(entries).toMatchObject(
      ['token.created', 'token.revoked'].map((action) => ({
        action,
        companyId,
        actorEmail: portal.administrator.email,
      })),
    )
    expect(JSON.stringify(entries)).not.toContain(token.slice(4))
  })

  it('names the token of an upload, which has no person', async () => {
    const { token, name } = await buildToken()
    await upload(token)
    const uploads = portal.deps.db
      .selectFrom('auditEntries')
      .where('action', '=', 'file.uploaded')
      .selectAll()
    expect((await uploads.orderBy('id', 'desc').execute())[0]).toMatchObject({
      actorId: null,
      actorEmail: null,
      companyId,
      detail: { after: { token: name } },
    })
  })
})

describe('With HISTORY_SCOPE=user', () => {
  it('a token sees its own uploads, and a clerk those of no token', async () => {
    const narrow = await createTestApp({ historyScope: 'user' })
    const company = narrow.clerk.companyId ?? 0
    const { id } = await buildDictionary(narrow.deps.db, { companyId: company })
    const [one, other] = [
      await buildCompanyToken(narrow.deps, company),
      await buildCompanyToken(narrow.deps, company),
    ]
    const colleague = await buildUser(narrow.deps.db, { companyId: company })
    const form = await uploadForm(['dataDictionaryId', String(id)], ['file', csvOfTwoRows, 'a.csv'])
    const uploads = async (as: TestCall['as']) =>
      (await narrow.call('POST', '/api/FileSubmission', { as, ...form })).json().value.id as number
    const seen = async (as: TestCall['as']) =>
      (await narrow.call('GET', '/api/FileSubmission', { as }))
        .json()
        .value.data.map((file: { id: number }) => file.id)
    const [ofOne, ofOther, ofClerk] = [
      await uploads(one.token),
      await uploads(other.token),
      await uploads(narrow.clerk),
    ]
    expect(await seen(one.token)).toEqual([ofOne])
    expect(await seen(other.token)).toEqual([ofOther])
    expect(await seen(narrow.clerk)).toEqual([ofClerk])
    expect(await seen(colleague)).toEqual([])
    const foreign = await narrow.call('GET', `/api/FileSubmission/${ofOne}`, { as: other.token })
    expect(foreign.statusCode).toBe(404)
    await narrow.close()
  })
})
