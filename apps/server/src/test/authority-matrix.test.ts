import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Endpoint } from '@veridict/contract/api/endpoint'
import { endpoints } from '@veridict/contract/api/endpoints'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { callLimits } from '@veridict/contract/limits'
import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import { ErrorType } from '@veridict/contract/model/verdict'
import { Role } from '@veridict/contract/model/role'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { isLong } from '@veridict/engine/test/runs'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { mayCall, personKey } from '#platform/access/viewer.ts'
import { logOut } from '#session/log-in.ts'
import {
  buildAdministrator,
  buildCompany,
  buildCompanyToken,
  buildDictionary,
  buildUser,
} from '#test/factories.ts'
import { buildStoredSubmission, csvOfTwoRows } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'
import { uploadForm } from '#test/upload-form.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

/**
 * Every call that writes × whoever may call it × what ends the caller between authentication and write. The
 * bus of this portal delivers no events, so that no call is cut: each transaction must find out by itself.
 */

let portal: TestApp
let receiver: WebhookReceiver
/** Of a dictionary, to import. */
let workbook: ReturnType<TestApp['call']> | undefined
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  portal = await createTestApp({ webhookAllowPrivate: true })
})
afterAll(async () => {
  await portal.close()
  await receiver.close()
})

type Kind = 'administrator' | 'clerk' | 'program'
type Person = {
  kind: Kind
  /** In the limits. */
  key: string
  token: string
  companyId: number
  /** The user, with a second session; a program has none. */
  user?: UserRow
  sessionId: string
  other: { token: string; sessionId: string }
  /** The company's token of a program. */
  tokenId: number
}

async function buildPerson(kind: Kind): Promise<Person> {
  const { db } = portal.deps
  const companyId = (await buildCompany(db)).id
  const none = { token: '', sessionId: '' }
  if (kind === 'program') {
    const { id: tokenId, token } = await buildCompanyToken(portal.deps, companyId)
    const key = personKey({ tokenId })
    return { kind, key, token, companyId, sessionId: '', other: none, tokenId }
  }
  const user = kind === 'clerk' ? await buildUser(db, { companyId }) : await buildAdministrator(db)
  const session = async () => {
    const token = await portal.tokenOf(user)
    return { token, sessionId: portal.deps.tokens.readAccess(token)?.sid ?? '' }
  }
  const other = await session()
  return {
    kind,
    key: personKey({ userId: user.id }),
    companyId,
    user,
    ...(await session()),
    other,
    tokenId: 0,
  }
}

const asAdministrator = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  portal.call(method, url, { as: portal.administrator, body })

type End = { of: readonly Kind[]; run(person: Person): Promise<unknown> }
const people = ['administrator', 'clerk'] as const
const expire = (table: string, id: string | number) =>
  sql`update ${sql.table(table)} set expires_at = now() where id = ${id}`.execute(portal.owner)

const ends: Readonly<Record<string, End>> = {
  'the user was deleted': {
    of: people,
    run: ({ user }) => asAdministrator('DELETE', `/api/User/${user?.id}`),
  },
  'an administrator reset the user': {
    of: people,
    run: ({ user }) => asAdministrator('POST', '/api/User/resetpassword', { userId: user?.id }),
  },
  'the e-mail was changed': {
    of: people,
    run: ({ user }) => {
      const body = { name: 'New', email: `new-${user?.email}`, phone: '' }
      return asAdministrator('PUT', `/api/User/${user?.id}`, body)
    },
  },
  'its owner ended the session': {
    of: people,
    run: ({ other, sessionId }) => portal.call('DELETE', `/api/Session/${sessionId}`, { as: other.token }),
  },
  'its owner ended all others': {
    of: people,
    run: ({ other }) => portal.call('DELETE', '/api/Session', { as: other.token }),
  },
  // Not by a call, which would wait behind others of this session that end sessions.
  'it logged out': {
    of: people,
    run: async ({ user, sessionId }) =>
      user && logOut({ ...user, userId: user.id, sessionId, uploadStop: null }, portal.deps),
  },
  'the session expired': { of: people, run: ({ sessionId }) => expire('sessions', sessionId) },
  'the company was deleted': {
    of: ['clerk', 'program'],
    run: ({ companyId }) => asAdministrator('DELETE', `/api/Company/${companyId}`),
  },
  'the token was revoked': {
    of: ['program'],
    run: ({ companyId, tokenId }) => asAdministrator('DELETE', `/api/Company/${companyId}/Token/${tokenId}`),
  },
  'the token expired': { of: ['program'], run: ({ tokenId }) => expire('company_tokens', tokenId) },
}

type Request = { url?: Record<string, string | number>; query?: string; body?: unknown; form?: FormPart[] }
type FormPart = Parameters<typeof uploadForm>[number]
/** Who calls, and what administrators change. */
type Subject = { person: Person; companyId: number; dictionaryId: number; fieldIds: number[] }

let count = 0
const unique = () => `new-${++count}`
const userBody = () => ({ name: 'Ada', email: `${unique()}@example.test`, phone: '' })
const companyBody = () => ({ name: unique(), containerName: unique(), address: '' })
const fieldBody = (dataDictionaryId: number) => ({
  itemName: unique(),
  ruleType: ruleNumbers.text,
  dataDictionaryId,
})

const submissionOf = async ({ companyId, user, tokenId }: Person, status: SubmissionStatus) => {
  const uploader = user === undefined ? { tokenId } : { userId: user.id }
  const accepted = { recordsCount: 2, targetPath: `company/${unique()}` }
  const given = { ...uploader, ...accepted, companyId, status, errorType: ErrorType.RowErrors }
  return (await buildStoredSubmission(portal.deps, given)).id
}
const withFailedFile = async ({ person }: Subject) => ({
  url: { id: await submissionOf(person, SubmissionStatus.ValidationFailed) },
})
const setWebhook = ({ companyId }: Subject) =>
  asAdministrator('PUT', `/api/Company/${companyId}/Webhook`, { url: receiver.url })

/** A request of each call that writes, which a caller who may still act makes with success. */
const dictionaryOf = async ({ companyId }: Pick<Person, 'companyId'>) =>
  (await buildDictionary(portal.deps.db, { companyId })).id

const requests: Readonly<Record<string, (subject: Subject) => Request | Promise<Request>>> = {
  logOut: () => ({}),
  endSession: ({ person }) => ({ url: { id: person.other.sessionId } }),
  endOtherSessions: () => ({}),
  createUser: () => ({ body: { ...userBody(), isSuperAdmin: true } }),
  updateUser: async () => ({ url: { id: (await buildUser(portal.deps.db)).id }, body: userBody() }),
  deleteUser: async () => ({ url: { id: (await buildUser(portal.deps.db)).id } }),
  resetUserPassword: async () => ({ body: { userId: (await buildUser(portal.deps.db)).id } }),
  createCompany: () => ({ body: companyBody() }),
  updateCompany: ({ companyId }) => ({ url: { id: companyId }, body: companyBody() }),
  deleteCompany: ({ companyId }) => ({ url: { id: companyId } }),
  associateDictionary: async ({ companyId }) => {
    const { id: dataDictionaryId } = await buildDictionary(portal.deps.db)
    return { body: { companyId, dataDictionaryId } }
  },
  dissociateDictionary: ({ companyId, dictionaryId }) => ({ url: { companyId, dictionaryId } }),
  createCompanyToken: ({ companyId }) => ({
    url: { id: companyId },
    body: { name: unique(), expiresInDays: 366 },
  }),
  revokeCompanyToken: async ({ companyId }) => ({
    url: { id: companyId, tokenId: (await buildCompanyToken(portal.deps, companyId)).id },
  }),
  setWebhook: ({ companyId }) => ({ url: { id: companyId }, body: { url: receiver.url } }),
  testWebhook: async (subject) => {
    await setWebhook(subject)
    return { url: { id: subject.companyId } }
  },
  createDictionary: () => ({ body: { name: unique() } }),
  importDictionary: async ({ dictionaryId }) => {
    // One for all: a person has few downloads at once.
    workbook ??= portal.call('GET', `/api/DataDictionary/${dictionaryId}/Export`, {
      as: portal.administrator,
    })
    const { rawPayload, statusCode } = await workbook
    expect(statusCode).toBe(200)
    return {
      form: [
        ['name', unique()],
        ['file', rawPayload, 'fields.xlsx'],
      ],
    }
  },
  proposeDictionary: () => ({ form: [['file', csvOfTwoRows, 'sample.csv']] }),
  renameDictionary: ({ dictionaryId }) => ({ query: `id=${dictionaryId}`, body: { name: unique() } }),
  deleteDictionary: ({ dictionaryId }) => ({ url: { id: dictionaryId } }),
  copyDictionary: ({ dictionaryId }) => ({ url: { id: dictionaryId }, body: { name: unique() } }),
  createField: ({ dictionaryId }) => ({ body: fieldBody(dictionaryId) }),
  updateField: ({ dictionaryId, fieldIds }) => ({ url: { id: fieldIds[0]! }, body: fieldBody(dictionaryId) }),
  deleteField: ({ dictionaryId, fieldIds }) => ({ url: { id: dictionaryId, itemId: fieldIds[0]! } }),
  reorderFields: ({ dictionaryId, fieldIds }) => ({
    url: { id: dictionaryId },
    body: { itemPositionList: fieldIds.toReversed().map((itemId, at) => ({ itemId, position: at + 1 })) },
  }),
  saveRuleBook: ({ dictionaryId }) => ({
    url: { id: dictionaryId },
    body: { rules: [{ name: 'Named', severity: 'error', then: [{ column: 'Name', is: 'filled' }] }] },
  }),
  tryRow: ({ dictionaryId }) => ({ url: { id: dictionaryId }, body: { row: {} } }),
  tryImpact: ({ dictionaryId }) => ({ url: { id: dictionaryId }, body: {} }),
  announceRule: async ({ dictionaryId }) => {
    const rule: RowRule = { name: 'Named', severity: 'error', then: [{ column: 'Name', is: 'filled' }] }
    const ruleBook = { ...emptyRuleBook, rules: [rule] }
    const version = await portal.deps.db
      .selectFrom('dictionaryVersions')
      .where('dictionaryId', '=', dictionaryId)
      .select('id')
      .executeTakeFirstOrThrow()
    const impact = {
      dictionaryId,
      dictionaryVersionId: version.id,
      draft: JSON.stringify({ fields: [], ruleBook }),
      doneAt: new Date(),
    }
    const insert = portal.deps.db.insertInto('impacts').values(impact).returning('id')
    const { id: impactId } = await insert.executeTakeFirstOrThrow()
    return { url: { id: dictionaryId, impactId }, body: { rule: 'Named', from: '2999-01-01' } }
  },
  sendMailAgain: async () => {
    const mail = {
      messageId: unique(),
      recipient: 'a@example.test',
      subject: 'x',
      textBody: 'x',
      htmlBody: 'x',
    }
    const insert = portal.deps.db.insertInto('mails').values({ ...mail, parkedAt: new Date() })
    return { url: { id: (await insert.returning('id').executeTakeFirstOrThrow()).id } }
  },
  uploadSubmission: async ({ person }) => ({
    form: [
      ['dataDictionaryId', `${await dictionaryOf(person)}`],
      ['file', csvOfTwoRows, 'claims.csv'],
    ],
  }),
  retryIngestion: async ({ person }) => ({
    body: { FileId: await submissionOf(person, SubmissionStatus.IngestionFailed) },
  }),
  retryStorage: async ({ companyId }) => {
    await buildStoredSubmission(portal.deps, { companyId, status: SubmissionStatus.IngestionFailed })
    return { body: { companyId } }
  },
  // Off: on, it would refuse the uploads of this test.
  setMaintenance: () => ({ body: { on: false } }),
  pauseCompany: ({ companyId }) => ({ url: { id: companyId }, body: { on: true } }),
  findFittingDictionaries: () => ({ body: { labels: ['Name'] } }),
  rememberAnswer: async ({ person }) => ({
    url: { id: await dictionaryOf(person) },
    body: { column: 'Name', kind: 'prefix', question: 'Put it back?', choice: 'prefix' },
  }),
  forgetAnswer: async ({ person: { companyId } }) => {
    const dictionaryId = await dictionaryOf({ companyId })
    const answer = { companyId, dictionaryId, kind: 'titleRows' }
    const insert = portal.deps.db.insertInto('rememberedAnswers').values(answer).returning('id')
    return { url: { id: dictionaryId, answerId: (await insert.executeTakeFirstOrThrow()).id } }
  },
  // Reads that store something at the first call.
  readReceipt: async ({ person }) => ({
    url: { id: await submissionOf(person, SubmissionStatus.IngestionSuccess) },
  }),
  exportSubmissions: () => ({}),
  exportAuditEntries: () => ({}),
  downloadErrorsFile: withFailedFile,
  downloadHighlightedFile: withFailedFile,
}

const writing = Object.entries(endpoints).filter(
  ([name, { access, method }]) => access !== 'public' && (method !== 'GET' || name in requests),
)
/** They only read, so nothing refuses them here. */
const onlyReads = ['proposeDictionary', 'tryRow', 'findFittingDictionaries']
/** They change no row, even if they succeed. */
const withoutRows = [...onlyReads, 'testWebhook']

const rightOf: Readonly<Record<Kind, Parameters<typeof mayCall>[1]>> = {
  administrator: { role: Role.SuperAdmin },
  clerk: { role: Role.CompanyUser },
  program: { role: 'token', scope: 'both' },
}
const kindsOf = ({ access }: Endpoint) =>
  (Object.keys(rightOf) as Kind[]).filter((kind) => mayCall(access, rightOf[kind]))

/** How many rows each table has and which transaction wrote last, but for limits, which count every call. */
async function readTables(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'
      and tablename not in ('rate_limits', 'download_slots')`.execute(portal.owner)
  const digests = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, concat(count(*), ' ', max(xmin::text::bigint)) as digest
      from ${sql.table(name)}`,
  )
  const { rows } = await sql<{
    name: string
    digest: string
  }>`${sql.join(digests, sql` union all `)}`.execute(portal.owner)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Everything that a call could leave behind. */
const readPortal = async () => ({
  tables: await readTables(),
  wakened: portal.wakened.length,
  events: portal.events.length,
  sent: receiver.received.length,
})
const readFiles = async () =>
  (await readdir(portal.deps.env.storageUrl, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()

type Prepared = { person: Person; line: string; options: InjectOptions; body: Buffer }

async function prepare(name: string, endpoint: Endpoint, kind: Kind): Promise<Prepared> {
  const person = await buildPerson(kind)
  const { db } = portal.deps
  const companyId = kind === 'administrator' ? (await buildCompany(db)).id : person.companyId
  const { id: dictionaryId, fieldIds } = await buildDictionary(db, { companyId })
  const request = await requests[name]?.({ person, companyId, dictionaryId, fieldIds })
  if (request === undefined) throw new Error(`Give ${name} a request in this test: it writes.`)
  const { url = {}, query = '', body, form } = request
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, part: string) => String(url[part]))
  const json = { body: Buffer.from(JSON.stringify(body) ?? ''), headers: {} }
  const sent = form === undefined ? json : await uploadForm(...form)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = {
    ApiKey: portal.deps.env.apiKey,
    authorization: `Bearer ${person.token}`,
    ...type,
    ...sent.headers,
  }
  const line = endpoint.endsSessions ? `session ${person.sessionId}` : person.key
  return {
    person,
    line,
    options: { method: endpoint.method, url: `${path}?${query}`, headers },
    body: sent.body,
  }
}

/** A call that has arrived and waits; `goOn` settles with its status. */
type Paused = { person: Person; goOn(): Promise<number | 'closed'> }

const isInFlight = ({ token }: Person) =>
  [...portal.app.callsInFlight].find(({ headers }) => headers.authorization === `Bearer ${token}`)
const statusOf = async (call: Promise<{ statusCode: number }>) =>
  call.then(
    ({ statusCode }) => statusCode,
    () => 'closed' as const,
  )

/** The call has sent the half of its body. */
async function pauseInBody({ person, options, body }: Prepared): Promise<Paused> {
  const payload = new Readable({ read() {} })
  payload.push(body.subarray(0, body.length >> 1))
  const status = statusOf(portal.app.inject({ ...options, payload }))
  await until(() => isInFlight(person)?.canBeCut === false)
  const goOn = () => {
    payload.push(body.subarray(body.length >> 1))
    payload.push(null)
    return status
  }
  return { person, goOn }
}

/** The call waits for its turn. */
async function pauseInLine({ person, line, options, body }: Prepared): Promise<Paused> {
  const { calls } = portal.deps.limits
  const leave = await Promise.all(Array.from({ length: callLimits.atOnce }, () => calls.enter(line)))
  const status = statusOf(portal.app.inject(body.length === 0 ? options : { ...options, payload: body }))
  await until(() => isInFlight(person)?.canBeCut === true)
  const goOn = () => {
    for (const end of leave) end()
    return status
  }
  return { person, goOn }
}

const whens = { 'sends its body': pauseInBody, 'waits for its turn': pauseInLine } as const
const cases = writing
  .flatMap(([name, endpoint]) =>
    (Object.keys(whens) as (keyof typeof whens)[])
      .filter((when) =>
        when === 'sends its body' ? (endpoint.body ?? endpoint.multipart) : endpoint.multipart === undefined,
      )
      .map((when) => [name, when, endpoint] as const),
  )
  .map((values, index) => [...values, index] as const)
/** Of all ends, every call gets some and every end some calls; in the long form each call gets all. */
const isSampled = (end: number, call: number) => isLong || (end + call) % 4 === 0

describe('A caller who ends while the call', () => {
  it.for(cases)('%s %s is refused and leaves nothing', async ([name, when, endpoint, index]) => {
    const applicable = kindsOf(endpoint)
      .flatMap((kind) =>
        Object.entries(ends)
          .filter(([, { of }]) => of.includes(kind))
          .map(([why, { run }]) => ({ kind, why: `${kind}: ${why}`, run })),
      )
      .filter((_, end) => isSampled(end, index))
    expect(applicable).not.toEqual([])
    const prepared = await Promise.all(applicable.map(({ kind }) => prepare(name, endpoint, kind)))
    const files = await readFiles()
    const paused = await Promise.all(prepared.map((call) => whens[when](call)))
    for (const [index, { run }] of applicable.entries()) await run(paused[index]!.person)
    const before = await readPortal()
    const statuses = await Promise.all(
      paused.map(async ({ goOn }, index) => `${applicable[index]?.why}: ${await goOn()}`),
    )
    if (!onlyReads.includes(name)) for (const status of statuses) expect(status).toMatch(/: (?:401|closed)$/)
    expect(await readPortal()).toEqual(before)
    expect(await readFiles()).toEqual(files)
  })
})

describe('A caller who stays', () => {
  it.for(writing)(
    '%s succeeds with the same request, and what it leaves is seen',
    async ([name, endpoint]) => {
      for (const kind of kindsOf(endpoint)) {
        const { options, body } = await prepare(name, endpoint, kind)
        const { tables, sent } = await readPortal()
        const { statusCode } = await portal.app.inject(
          body.length === 0 ? options : { ...options, payload: body },
        )
        expect(statusCode).toBeLessThan(300)
        const after = await readPortal()
        if (name === 'testWebhook') expect(after.sent).toBe(sent + 1)
        if (!withoutRows.includes(name)) expect(after.tables).not.toEqual(tables)
      }
    },
  )
})
