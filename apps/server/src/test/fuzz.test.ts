import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { ErrorType } from '@veridict/contract/model/verdict'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeMaintenance } from '#platform/database/marks.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { openApiDocument } from '#platform/http/openapi-document.ts'
import { buildAdministrator, buildCompanyToken, buildDictionary, buildUser } from '#test/factories.ts'
import { mutateFile } from '#test/fuzz/mutate-file.ts'
import { type RawCall, randomCall } from '#test/fuzz/random-call.ts'
import { Random } from '#test/fuzz/random.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'

/**
 * Random calls and changed files. A short run belongs to the tests; `npm run fuzz` runs longer. The seed
 * decides all calls and files, so that a failure can be repeated.
 */
const setting = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault)
const CALLS = setting('FUZZ_CALLS', 250)
const UPLOADS = setting('FUZZ_UPLOADS', 30)
const SEED = setting('FUZZ_SEED', 1)
/** A slow machine makes some ten calls and two uploads in a second. */
const TIMEOUT_MILLISECONDS = 60_000 + 100 * CALLS + 500 * UPLOADS

/** After so many calls, users, tokens, dictionaries and submissions are built again: calls delete them. */
const CALLS_PER_FIXTURE = 40
/** Only one in so many uploads with errors gets its error files, because they take most of the time. */
const UPLOADS_PER_ERROR_FILE = 10
const UPLOADS_AT_ONCE = 8

const document = openApiDocument('http://localhost')
const sample = (name: string) => readFileSync(new URL(`../../../../samples/${name}`, import.meta.url))
const samples = [
  'claims-with-errors.csv',
  'claims-with-errors.xlsx',
  'claims-clean.csv',
  'claims-clean.xlsx',
].map((name) => [name, sample(name)] as const)
const { fields } = JSON.parse(sample('dictionaries/medical-claims.json').toString())

let portal: TestApp
let port: number
beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 1_000_000, companyQuotaMegabytes: 0 })
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as AddressInfo).port
})
afterAll(() => portal.close())

type Reply = { readonly status: number; readonly body: string }

/**
 * Sends a request as it is, without the help of a client that would refuse or repair it. The status is 0 when
 * no reply comes.
 */
function send(call: Pick<RawCall, 'method' | 'url' | 'headers' | 'body'>, isAgain = false): Promise<Reply> {
  const { method, url, headers, body } = call
  return new Promise<Reply>((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(body.length) }
    const request = httpRequest(
      { port, host: '127.0.0.1', method, path: url, headers: { ...headers, ...length } },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        )
      },
    )
    request.on('upgrade', (_reply, socket) => {
      socket.destroy()
      resolve({ status: 101, body: '' })
    })
    // The server may close a kept connection while the next request is on its way.
    request.on('error', (error) => {
      if (request.reusedSocket && !isAgain) resolve(send(call, true))
      else resolve({ status: 0, body: error.message })
    })
    request.end(body ?? undefined)
  })
}

/** What calls may name: things of every kind, some of them of another company. */
async function buildFixture() {
  const { deps } = portal
  const [administrator, clerk, other] = [
    await buildAdministrator(deps.db),
    await buildUser(deps.db),
    await buildUser(deps.db),
  ]
  const companyId = clerk.companyId ?? 0
  const dictionary = await buildDictionary(deps.db, { companyId })
  const stored = { userId: clerk.id, companyId, fileName: 'a.csv' }
  const submissions = [
    await buildStoredSubmission(deps, { ...stored, status: SubmissionStatus.IngestionFailed }),
    await buildStoredSubmission(
      deps,
      { ...stored, status: SubmissionStatus.ValidationFailed, errorType: ErrorType.RowErrors },
      'Name,Amount\na,x\n',
    ),
  ]
  const { token } = await buildCompanyToken(deps, companyId)
  // Several sessions each: calls end them, too.
  const sessionsOf = (user: UserRow) => Promise.all([1, 2, 3].map(() => portal.tokenOf(user)))
  const [admins, clerks] = [await sessionsOf(administrator), await sessionsOf(clerk)]
  return {
    apiKey: deps.env.apiKey,
    tokens: ['', ...admins, ...clerks, await portal.tokenOf(other), token],
    texts: [
      'Name',
      'a',
      administrator.email,
      clerk.email,
      other.email,
      dictionary.name,
      'dd/MM/yyyy',
      'Str0ng-Word-77',
    ],
    ids: [
      1,
      2,
      3,
      4,
      administrator.id,
      clerk.id,
      companyId,
      other.companyId ?? 0,
      dictionary.id,
      ...dictionary.fieldIds,
      ...submissions.map(({ id }) => id),
    ],
  }
}

const counted = (statuses: readonly number[]): string =>
  [...Map.groupBy(statuses.toSorted(), (status) => status)]
    .map(([status, all]) => `${status}: ${all.length}`)
    .join(', ')

describe('The portal', () => {
  it(
    'responds to any call with a status that the OpenAPI document has, and none with 5xx',
    { timeout: TIMEOUT_MILLISECONDS },
    async () => {
      const statuses: number[] = []
      const failures: string[] = []
      let fixture = await buildFixture()
      for (let index = 0; index < CALLS; index++) {
        if (index % CALLS_PER_FIXTURE === CALLS_PER_FIXTURE - 1) fixture = await buildFixture()
        const call = randomCall(document, fixture, new Random(SEED * 1_000_003 + index))
        const { status, body } = await send(call)
        // A call may have begun maintenance mode, which refuses uploads with 503.
        await portal.deps.db.transaction().execute((trx) => changeMaintenance(trx, null))
        statuses.push(status)
        if (status === 0 || status >= 500 || !isDocumented(call, status))
          failures.push(`${index}: ${described(call)} → ${status} ${body.slice(0, 200)}`)
      }
      console.log(`fuzz: ${CALLS} calls with the seed ${SEED}; ${counted(statuses)}`)
      expect(failures).toEqual([])
      expect((await send({ method: 'GET', url: '/api/health', headers: {}, body: null })).status).toBe(200)
    },
  )

  it(
    'takes any file, validates it to an end, and makes its error files',
    { timeout: TIMEOUT_MILLISECONDS },
    async () => {
      const { deps } = portal
      const clerk = await buildUser(deps.db)
      const dictionary = await buildDictionary(deps.db, { companyId: clerk.companyId ?? 0, fields })
      const headers = { apikey: deps.env.apiKey, authorization: `Bearer ${await portal.tokenOf(clerk)}` }
      const tally = { statuses: [] as number[], failures: [] as string[] }
      for (let index = 0; index < UPLOADS; index += UPLOADS_AT_ONCE) {
        const batch = Array.from(
          { length: Math.min(UPLOADS_AT_ONCE, UPLOADS - index) },
          (_, at) => index + at,
        )
        await Promise.all(batch.map((at) => uploadMutated(at, dictionary.id, headers, tally)))
      }
      const { statuses, failures } = tally
      console.log(`fuzz: ${UPLOADS} mutated uploads with the seed ${SEED}; ${counted(statuses)}`)
      expect(failures).toEqual([])
      expect((await send({ method: 'GET', url: '/api/health', headers: {}, body: null })).status).toBe(200)
    },
  )
})

const described = ({ method, url, headers, body }: RawCall): string =>
  [method, url, JSON.stringify(headers), body?.toString()].map((text) => text?.slice(0, 300)).join(' ')

/**
 * Besides what the document has: a request for a socket is of no operation, a call that takes no body may get
 * one, of a wrong type or not readable, and headers may be longer than HTTP's parser takes.
 */
function isDocumented({ operation, headers, body }: RawCall, status: number): boolean {
  if (String(status) in operation.responses || status === 431) return true
  if ('upgrade' in headers) return status === 404
  return operation.requestBody === undefined && body !== null && [400, 415].includes(status)
}

async function uploadMutated(
  index: number,
  dictionaryId: number,
  headers: Record<string, string>,
  { statuses, failures }: { statuses: number[]; failures: string[] },
): Promise<void> {
  const random = new Random(SEED * 1_000_003 + index)
  const [name, bytes] = random.oneOf(samples)
  const form = await uploadForm(
    ['dataDictionaryId', String(dictionaryId)],
    ['file', mutateFile(bytes, random), name],
  )
  const note = async (method: string, url: string, given: Partial<RawCall> = {}) => {
    const reply = await send({ method, url, headers, body: null, ...given })
    statuses.push(reply.status)
    if (reply.status === 0 || reply.status >= 500)
      failures.push(`${index}: ${url} → ${reply.status} ${reply.body.slice(0, 200)}`)
    return reply
  }
  const sent = { headers: { ...headers, ...form.headers }, body: form.body }
  const reply = await note('POST', '/api/FileSubmission', sent)
  if (reply.status !== 202) return
  const { id } = JSON.parse(reply.body).value
  await validateSubmission(id, portal.deps, new AbortController().signal)
  const row = await portal.deps.db
    .selectFrom('submissions')
    .select(['status', 'errorType', 'errorMessage'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const isDone = [SubmissionStatus.ValidationPassed, SubmissionStatus.ValidationFailed].some(
    (status) => status === row.status,
  )
  if (!isDone || row.errorType === ErrorType.ProcessingFailed)
    failures.push(`${index}: status ${row.status}, type ${row.errorType}, ${row.errorMessage}`)
  await note('GET', `/api/FileSubmission/${id}/Errors`)
  if (index % UPLOADS_PER_ERROR_FILE !== 0) return
  for (const kind of ['Simple', 'Highlighted', 'Corrected', 'Source'])
    await note('GET', `/api/ErrorFile/${id}/${kind}`)
}
