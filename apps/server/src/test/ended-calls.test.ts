import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { callLimits } from '@veridict/contract/limits'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { createPgStatusBus, type PgStatusBus } from '#platform/live/pg-status-bus.ts'
import { personKey } from '#platform/access/viewer.ts'
import { generatedErrorFileName } from '#submissions/generated-error-files.ts'
import { buildCompanyToken, buildUser } from '#test/factories.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

const MIB = 1024 * 1024

let portal: TestApp
/** Two servers: what ends a session need not be called on the one that works on its calls. */
let app: TestApp['app']
let other: TestApp['app']
let buses: PgStatusBus[]
let address: string

beforeAll(async () => {
  portal = await createTestApp()
  const { db, log, env } = portal.deps
  const bus = () => createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
  buses = [bus(), bus()]
  const [own, others] = buses as [PgStatusBus, PgStatusBus]
  app = await buildApp({ ...portal.deps, bus: own, metrics: createMetrics() })
  other = await buildApp({ ...portal.deps, bus: others, metrics: createMetrics() })
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  await until(() => own.leases.next().holder !== null)
})
afterAll(async () => {
  await app.close()
  await other.close()
  for (const bus of buses) await bus.close()
  await portal.close()
})

type Person = { token: string; key: string; companyId: number; userId: number | null; tokenId: number | null }

async function buildClerk(): Promise<Person & { user: UserRow }> {
  const user = await buildUser(portal.deps.db)
  const { id: userId, companyId } = user
  const token = await portal.tokenOf(user)
  return { user, token, key: personKey({ userId }), companyId: companyId ?? 0, userId, tokenId: null }
}
async function buildProgram(): Promise<Person> {
  const companyId = portal.clerk.companyId ?? 0
  const { id: tokenId, token } = await buildCompanyToken(portal.deps, companyId)
  return { token, key: personKey({ tokenId }), companyId, userId: null, tokenId }
}

/** Calls the other server. */
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, token: string) => {
  const headers = { ApiKey: portal.deps.env.apiKey, authorization: `Bearer ${token}` }
  return (await other.inject({ method, url, headers })).statusCode
}
const asAdministrator = async (url: string) => call('DELETE', url, await portal.tokenOf(portal.administrator))

const clerks = [
  { end: 'it logs out', run: ({ token }: Person) => call('GET', '/api/Logout', token) },
  { end: 'its user is deleted', run: ({ userId }: Person) => asAdministrator(`/api/User/${userId}`) },
  {
    end: 'its company is deleted',
    run: ({ companyId }: Person) => asAdministrator(`/api/Company/${companyId}`),
  },
]
const ends = [
  ...clerks.map((end) => ({ ...end, build: buildClerk })),
  {
    end: 'its token is revoked',
    run: ({ companyId, tokenId }: Person) => asAdministrator(`/api/Company/${companyId}/Token/${tokenId}`),
    build: buildProgram,
  },
]

function open({ token }: Person, method: string, url: string, headers: Record<string, string> = {}) {
  const authorized = { ApiKey: portal.deps.env.apiKey, authorization: `Bearer ${token}`, ...headers }
  const sent = request(`${address}${url}`, { method, headers: authorized, agent: false })
  const closed = new Promise<string>((resolve) => {
    sent.on('error', () => resolve('closed'))
    sent.on('response', (response: IncomingMessage) => {
      response.on('error', () => resolve('closed'))
      response.once('end', () => resolve(`${response.statusCode}`))
    })
  })
  return { sent, closed }
}

const inFlight = ({ token }: Person) =>
  [...app.callsInFlight].find(({ headers }) => headers.authorization === `Bearer ${token}`)

async function waitInLine(person: Person) {
  const { calls } = portal.deps.limits
  await Promise.all(Array.from({ length: callLimits.atOnce }, () => calls.enter(person.key)))
  const { sent, closed } = open(person, 'GET', '/api/DataDictionary/GetListForSelection')
  sent.end()
  await until(() => inFlight(person)?.canBeCut === true)
  return { closed }
}

async function sendBody(person: Person) {
  const headers = { 'content-type': 'application/json', 'content-length': '100' }
  const { sent, closed } = open(person, 'POST', '/api/FileSubmission/retryingestionupload', headers)
  sent.write('{')
  await until(() => inFlight(person) !== undefined)
  return { closed }
}

async function upload(person: Person) {
  const boundary = 'x'
  const { sent, closed } = open(person, 'POST', '/api/FileSubmission', {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': '1000000',
  })
  sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nName\r\n`)
  await until(() => inFlight(person) !== undefined)
  return { closed }
}

/** Takes the head of a reply that is larger than the buffers of a connection, and no byte of its body. */
async function download(person: Person) {
  const { userId, tokenId, companyId } = person
  const given = { userId, tokenId, companyId, errorType: ErrorType.RowErrors }
  const status = SubmissionStatus.ValidationFailed
  const { id, storageKey } = await buildStoredSubmission(portal.deps, { ...given, status })
  const name = generatedErrorFileName(storageKey, 'errors')
  const bytes = Buffer.alloc(20 * MIB)
  await (await portal.deps.generatedFiles.open(name, (path) => writeFile(path, bytes))).close()
  const { sent, closed } = open(person, 'GET', `/api/ErrorFile/${id}/Simple`)
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await until(() => inFlight(person)?.canBeCut === true)
  const isGone = until(() => inFlight(person) === undefined)
  // A client that takes no byte does not see that the connection was closed.
  const cut = isGone.then(() => {
    response.resume()
    return closed
  })
  return { closed: cut }
}

const whens = {
  'waits for its turn': waitInLine,
  'sends its body': sendBody,
  uploads: upload,
  downloads: download,
}
const cases = Object.keys(whens).flatMap((when) =>
  ends.map((end) => ({ ...end, when: when as keyof typeof whens })),
)
const readFiles = async () => (await readdir(portal.deps.env.storageUrl, { recursive: true })).length

describe('A call', () => {
  it.for(cases)('is cut if $end on another server while it $when', async ({ build, run, when }) => {
    const person = await build()
    const files = when === 'downloads' ? null : await readFiles()
    const { closed } = await whens[when](person)
    expect(await run(person)).toBe(200)
    expect(await closed).toBe('closed')
    if (files !== null) await expect.poll(readFiles).toBe(files)
  })
})

describe('A call that ends its own session', () => {
  it.for(['GET /api/Logout', 'DELETE /api/Session/own'])('gets its reply: %s', async (line) => {
    const [method = '', url = ''] = line.split(' ')
    const clerk = await buildClerk()
    const own = portal.deps.tokens.readAccess(clerk.token)?.sid ?? ''
    const { sent, closed } = open(clerk, method, url.replace('own', own))
    sent.on('response', (response: IncomingMessage) => response.resume())
    sent.end()
    expect(await closed).toBe('200')
    expect(await call('GET', '/api/Session', clerk.token)).toBe(401)
  })

  it('does not wait for other sessions of the person, which may be those of a thief', async () => {
    const clerk = await buildClerk()
    const { calls } = portal.deps.limits
    await Promise.all(Array.from({ length: callLimits.atOnce }, () => calls.enter(clerk.key)))
    expect(await call('DELETE', '/api/Session', clerk.token)).toBe(200)
  })
})

describe('A call whose session ends while it is being read', () => {
  it('is refused, though the session was still valid in what was read', async () => {
    const clerk = await buildClerk()
    const [bus] = buses as [PgStatusBus, PgStatusBus]
    const { sid } = portal.deps.tokens.readAccess(clerk.token) ?? {}
    let isRead = false
    const endWhenRead: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isRead || !result.rows.some(({ sessionId }) => sessionId === sid)) return result
        isRead = true
        const announced = new Promise<void>((resolve) => {
          const stop = bus.subscribe({
            onStatus() {},
            onEnd(end) {
              if (!('sessionId' in end) || end.sessionId !== sid) return
              stop()
              resolve()
            },
          })
        })
        expect(await call('GET', '/api/Logout', clerk.token)).toBe(200)
        await announced
        return result
      },
    }
    const db = portal.deps.db.withPlugin(endWhenRead)
    const slow = await buildApp({ ...portal.deps, db, bus, metrics: createMetrics() })
    const headers = { ApiKey: portal.deps.env.apiKey, authorization: `Bearer ${clerk.token}` }
    const response = await slow.inject({ url: '/api/DataDictionary/GetListForSelection', headers })
    await slow.close()
    expect(isRead).toBe(true)
    expect(response.statusCode).toBe(401)
  })
})

describe('Calls in flight', () => {
  it('are asked again after events may have been lost', async () => {
    const [ended, valid] = [await buildProgram(), await buildProgram()]
    const [first, second] = [await sendBody(ended), await sendBody(valid)]
    await portal.deps.db
      .updateTable('companyTokens')
      .set({ revokedAt: new Date() })
      .where('id', '=', ended.tokenId)
      .execute()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'veridict news%' and datname = current_database()`.execute(portal.owner)
    expect(await first.closed).toBe('closed')
    expect(inFlight(valid)).toBeDefined()
    await asAdministrator(`/api/Company/${valid.companyId}/Token/${valid.tokenId}`)
    expect(await second.closed).toBe('closed')
  })
})
