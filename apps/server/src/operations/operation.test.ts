import { hostname } from 'node:os'
import { type Operation, operation } from '@veridict/contract/api/admin'
import { uploadStopHeader } from '@veridict/contract/api/config'
import { companyMessages } from '@veridict/contract/messages/companies'
import { operationMessages } from '@veridict/contract/messages/operation'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newLeaseOf } from '#platform/jobs/leases.ts'
import { schema } from '#platform/database/migrate.ts'
import { findStopSeconds } from '#platform/access/upload-stop.ts'
import { changeMaintenance, recordRun } from '#platform/database/marks.ts'
import { createPgStatusBus } from '#platform/live/pg-status-bus.ts'
import { readOperation } from '#operations/counts.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { retryDueStorageErrors } from '#submissions/retry-ingestion.ts'
import { claimSubmissions } from '#submissions/submission-claims.ts'
import { buildCompany, buildCompanyToken, buildDictionary, buildUser } from '#test/factories.ts'
import { buildStoredSubmission, buildSubmissionOfClerk, findRow } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'
import { version } from '#version.ts'

const { Uploaded, ValidationPassed, ValidationFailed, IngestionFailed } = SubmissionStatus
let portal: TestApp
let companyId: number
let dictionaryId: number

beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000, metricsToken: 'a-token-for-metrics' })
  companyId = portal.clerk.companyId ?? 0
  dictionaryId = (await buildDictionary(portal.deps.db, { companyId })).id
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, mails cascade`.execute(portal.owner)
  portal.wakened.length = 0
})

const post = (url: string, body: object) => portal.call('POST', url, { as: portal.administrator, body })
const switchMaintenance = (body: object) => post('/api/Admin/Operation/Maintenance', body)
const pause = (on: boolean) => post(`/api/Company/${companyId}/Pause`, { on })
const read = async () => {
  const reply = await portal.call('GET', '/api/Admin/Operation', { as: portal.administrator })
  return operation.strict().parse(reply.json().value) satisfies Operation
}

const csv = 'Name,Amount\nAda,1.50\n'
async function upload(as: NonNullable<Parameters<TestApp['call']>[2]>['as'], dictionary = dictionaryId) {
  const form = await uploadForm(['dataDictionaryId', `${dictionary}`], ['file', csv, 'claims.csv'])
  return portal.call('POST', '/api/FileSubmission', { as, ...form })
}
/** An upload whose caller was let in before uploads were stopped: its bytes arrive now. */
function finishUpload() {
  const parts = async function* () {
    yield { kind: 'field', name: 'dataDictionaryId', value: String(dictionaryId) } as const
    yield { kind: 'file', name: 'file', fileName: 'claims.csv', content: bytes() } as const
  }
  const { id: userId, name, email } = portal.clerk
  return acceptUpload(parts(), { userId, companyId, name, email }, portal.deps)
}
async function* bytes() {
  yield Buffer.from(csv)
}
const countFiles = async () =>
  (await sql<{ count: number }>`select count(*) from submissions`.execute(portal.owner)).rows[0]?.count

/** What refuses every upload of the company, and what else it changes. */
const stops = [
  {
    name: 'Maintenance mode',
    on: () => switchMaintenance({ on: true, message: 'Wir sind um 14 Uhr zurück — “bald”.' }),
    off: () => switchMaintenance({ on: false }),
    sentence: 'Wir sind um 14 Uhr zurück — “bald”.',
    ofOthers: 503,
  },
  {
    name: 'The pause of a company',
    on: () => pause(true),
    off: () => pause(false),
    sentence: companyMessages.uploadsPaused,
    ofOthers: 202,
  },
]

describe.for(stops)('$name', ({ on, off, sentence, ofOthers }) => {
  beforeEach(on)
  afterEach(off)

  it('refuses uploads of people and of programs with its sentence, until it ends', async () => {
    const { token } = await buildCompanyToken(portal.deps, companyId)
    for (const as of [portal.clerk, token]) {
      const refused = await upload(as)
      expect(refused.statusCode).toBe(503)
      expect(refused.json()).toEqual({ message: sentence })
      expect(refused.headers['retry-after']).toBe('300')
    }
    expect(await countFiles()).toBe(0)
    await off()
    for (const as of [portal.clerk, token]) expect((await upload(as)).statusCode).toBe(202)
  })

  it('fails no call, as the metrics and their alert count', async () => {
    const failures = async () => {
      const { values } = await portal.deps.metrics.failures.get()
      return values.find(({ labels }) => labels.kind === 'call')?.value
    }
    const before = await failures()
    expect((await upload(portal.clerk)).statusCode).toBe(503)
    expect(await failures()).toBe(before)
  })

  it('refuses an upload that began before', async () => {
    await expect(finishUpload()).rejects.toMatchObject({ status: 503, message: sentence })
    expect(await countFiles()).toBe(0)
  })

  it('is told with every response, and lets people read and correct', async () => {
    const { id } = await buildSubmissionOfClerk(portal, { status: ValidationFailed })
    for (const url of ['/api/FileSubmission', `/api/FileSubmission/${id}`, '/api/FileSubmission/Export']) {
      const reply = await portal.call('GET', url, { as: portal.clerk })
      expect(reply.statusCode).toBe(200)
      expect(decodeURIComponent(String(reply.headers[uploadStopHeader.toLowerCase()]))).toBe(sentence)
    }
    await off()
    const { headers } = await portal.call('GET', '/api/FileSubmission', { as: portal.clerk })
    expect(headers).not.toHaveProperty(uploadStopHeader.toLowerCase())
  })

  it('is one of the portal, or of one company', async () => {
    const other = await buildUser(portal.deps.db)
    const { id } = await buildDictionary(portal.deps.db, { companyId: other.companyId ?? 0 })
    expect((await upload(other, id)).statusCode).toBe(ofOthers)
  })
})

describe('Maintenance mode', () => {
  afterEach(() => switchMaintenance({ on: false }))

  it.for([{}, { message: ' ' }, { message: 'x'.repeat(251) }])('needs a sentence: %j', async (given) => {
    const reply = await switchMaintenance({ on: true, ...given })
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([400, ['message']])
    expect((await read()).maintenance).toBeNull()
  })

  it('lets work go on that was accepted before', async () => {
    const { id } = (await upload(portal.clerk)).json().value
    expect((await switchMaintenance({ on: true, message: 'Back at noon.' })).json().value).toEqual({
      message: operationMessages.switchedOn,
    })
    await validateSubmission(id, portal.deps, new AbortController().signal)
    expect((await findRow(portal.deps.db, id)).status).toBe(ValidationPassed)
    await switchMaintenance({ on: true, message: 'Back at one.' })
    expect((await read()).maintenance).toBe('Back at one.')
    const { maintenance, pause } = await findStopSeconds(portal.deps.db)
    expect([maintenance > 0, pause]).toEqual([true, 0])
  })

  it.for(['Back at noon.', null])('records what it replaces, also if set meanwhile: %s', async (note) => {
    await switchMaintenance({ on: true, message: 'Back soon.' })
    const other = await portal.deps.db.startTransaction().execute()
    await changeMaintenance(other, note)
    const switched = switchMaintenance({ on: true, message: 'Back at one.' })
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(portal.owner)).rows.length).toBe(1)
    await other.commit().execute()
    expect((await switched).statusCode).toBe(200)
    const entry = portal.deps.db.selectFrom('auditEntries').select('detail').orderBy('id', 'desc').limit(1)
    expect((await entry.executeTakeFirstOrThrow()).detail).toEqual({
      before: { message: note },
      after: { message: 'Back at one.' },
    })
  })
})

describe('The pause of a company', () => {
  const claim = async (work: 'validateSubmission' | 'ingestSubmission') => {
    const places = { busy: [], free: 8 }
    const { claimed } = await claimSubmissions(portal.deps.db, work, newLeaseOf(null), places)
    return claimed.map(({ id }) => id)
  }
  afterEach(() => pause(false))

  it('lets its files wait, and nobody else’s', async () => {
    const { db } = portal.deps
    const waiting = await buildSubmissionOfClerk(portal, { status: Uploaded })
    const passed = await buildSubmissionOfClerk(portal, { status: ValidationPassed })
    const due = { status: IngestionFailed, leaseUntil: new Date(0) }
    const failed = await buildSubmissionOfClerk(portal, due)
    const other = await buildStoredSubmission(portal.deps, { companyId: (await buildCompany(db)).id })
    await pause(true)
    expect(await claim('validateSubmission')).toEqual([other.id])
    expect(await claim('ingestSubmission')).toEqual([])
    await retryDueStorageErrors(portal.deps)
    expect((await findRow(db, failed.id)).status).toBe(IngestionFailed)
    const { id, name } = await db
      .selectFrom('companies')
      .selectAll()
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow()
    const state = await read()
    expect(state.paused).toEqual([{ id, name, pausedAt: expect.any(String) as string, waiting: 2 }])
    expect([state.waiting, state.failedStorage]).toEqual([0, 1])

    portal.wakened.length = 0
    await pause(false)
    expect(portal.wakened).toEqual(['validateSubmission', 'ingestSubmission'])
    expect(await claim('validateSubmission')).toEqual([waiting.id])
    expect(await claim('ingestSubmission')).toEqual([passed.id])
  })

  it('is shown with the company, and changes nothing that a form shows', async () => {
    const company = async () =>
      (await portal.call('GET', `/api/Company/${companyId}`, { as: portal.administrator })).json().value
    const before = await company()
    await pause(true)
    const { pausedAt } = await company()
    await pause(true)
    expect(await company()).toEqual({ ...before, pausedAt })
    expect(pausedAt).toEqual(expect.any(String))
    await pause(false)
    expect(await company()).toEqual(before)
  })

  it('ends with the company, whose accepted files are processed', async () => {
    const { id } = await buildCompany(portal.deps.db)
    const submission = await buildStoredSubmission(portal.deps, { companyId: id })
    await post(`/api/Company/${id}/Pause`, { on: true })
    expect(await claim('validateSubmission')).toEqual([])
    await portal.call('DELETE', `/api/Company/${id}`, { as: portal.administrator })
    expect(await claim('validateSubmission')).toEqual([submission.id])
    expect((await post(`/api/Company/${id}/Pause`, { on: true })).statusCode).toBe(404)
  })
})

describe('The state of the portal', () => {
  it('is the same as of the metrics and of the health check', async () => {
    await buildSubmissionOfClerk(portal, { status: Uploaded })
    await buildSubmissionOfClerk(portal, { status: ValidationPassed })
    const { id: submissionId } = await buildSubmissionOfClerk(portal, { status: IngestionFailed })
    await recordRun(portal.deps.db, 'backup')
    const mail = { messageId: '1', recipient: 'a@example.test', subject: 'x', textBody: 'x', htmlBody: '' }
    await portal.deps.db
      .insertInto('mails')
      .values({ ...mail, parkedAt: new Date() })
      .execute()
    const message = { companyId, messageId: '1', body: '', submissionId }
    const others = { messageId: '2', givenUpAt: new Date() }
    const deliveries = portal.deps.db.insertInto('webhookDeliveries')
    await deliveries.values([message, { ...message, ...others }]).execute()

    const state = await read()
    expect(state).toMatchObject({
      version,
      schema,
      ahead: [],
      unfinished: [],
      failing: [],
      degraded: [],
      workers: 0,
      waiting: 2,
      failedStorage: 1,
      mails: { waiting: 0, parked: 1 },
      webhooks: { waiting: 1, parked: 1 },
      maintenance: null,
      paused: [],
    })
    expect(state.backupAt).toBe(state.lastRuns.find(({ job }) => job === 'backup')?.at)
    const { body } = await portal.app.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer a-token-for-metrics' },
    })
    for (const line of [
      `veridict_submissions{status="IngestionFailed"} ${state.failedStorage}`,
      `veridict_mails{state="parked"} ${state.mails.parked}`,
      `veridict_webhooks{state="waiting"} ${state.webhooks.waiting}`,
      `veridict_webhooks{state="parked"} ${state.webhooks.parked}`,
      'veridict_queue_depth{queue="validateSubmission"} 1',
      'veridict_queue_depth{queue="ingestSubmission"} 1',
      'veridict_uploads_stopped_seconds{by="maintenance"} 0',
      'veridict_uploads_stopped_seconds{by="pause"} 0',
    ])
      expect(body).toContain(`${line}\n`)
  })

  it('is shown while the storage hangs', async () => {
    const hang = () => new Promise<never>(() => {})
    const storage = { ...portal.deps.storage, check: hang, space: hang }
    expect(await readOperation({ ...portal.deps, storage })).toMatchObject({
      failing: ['storage'],
      storageFreeBytes: null,
    })
  })

  it('has its own time from the database, as those that it is compared with', async () => {
    const deps = { ...portal.deps, clock: { now: () => new Date(0) } }
    const { at } = await readOperation(deps)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from now() - ${at}::timestamptz)::float8 as seconds`.execute(portal.owner)
    expect(rows[0]?.seconds).toBeLessThan(60)
  })

  it('names the programs that run, and counts those that take jobs', async () => {
    const { deps } = portal
    const bus = createPgStatusBus(deps.env.databaseUrl, deps.db, deps.log, { isWorker: true, isWeb: true })
    onTestFinished(() => bus.close())
    await expect.poll(async () => (await read()).workers).toBe(1)
    const { servers } = await read()
    const id = `${hostname()}:${process.pid}`
    expect(servers).toEqual([
      { id, role: 'web+worker', version, seenAt: expect.any(String) as string, isSilent: false },
    ])
  })

  it('tells that a newer version has added to the schema', async () => {
    const at = new Date().toISOString()
    const name = '9999-newer'
    await sql`insert into kysely_migration (name, timestamp, additive, version)
      values (${name}, ${at}, true, '9.0.0')`.execute(portal.owner)
    onTestFinished(async () => {
      await sql`delete from kysely_migration where name = ${name}`.execute(portal.owner)
    })
    expect((await read()).ahead).toEqual([{ name, version: '9.0.0', at }])
  })
})

describe('The totals of submissions', () => {
  it('are estimated from what PostgreSQL knows where they are many, of all companies only', async () => {
    const count = async (pages: number, company = 'all') => {
      const { rows } = await portal.owner.transaction().execute(async (trx) => {
        await sql`select set_config('veridict.company', ${company}, true)`.execute(trx)
        return sql<{ status: number; count: number }>`
          select * from count_submissions(${pages}) order by status`.execute(trx)
      })
      return rows.map(({ count }) => count)
    }
    await sql`truncate submissions cascade`.execute(portal.owner)
    expect(await count(0)).toEqual([])
    for (const status of [Uploaded, ValidationFailed, ValidationFailed, IngestionFailed, IngestionFailed])
      await buildSubmissionOfClerk(portal, { status })
    expect(await count(1000)).toEqual([1, 0, 2, 0, 0, 2, 0])
    await sql`analyze submissions`.execute(portal.owner)
    const estimated = await count(1)
    expect(estimated).toHaveLength(7)
    expect([estimated[ValidationFailed], estimated[IngestionFailed]]).toEqual([2, 2])
    expect(await count(1000, `${companyId}`)).toEqual([])
  })
})
