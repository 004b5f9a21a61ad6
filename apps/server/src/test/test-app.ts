import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { buildApp } from '#app.ts'
import { openDatabase } from '#platform/database/database.ts'
import { preparePortalRole } from '#platform/database/portal-role.ts'
import type { Db, UserRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { systemClock } from '#platform/clock.ts'
import { createIdentityProvider } from '#platform/identity/identity-provider.ts'
import { randomIds } from '#platform/ids.ts'
import type { WakeableWork } from '#platform/jobs/job-bus.ts'
import { newLeaseOf } from '#platform/jobs/leases.ts'
import { createOutboxFolder } from '#platform/mail/outbox-folder.ts'
import { createMetrics } from '#platform/telemetry/metrics.ts'
import { createPasswordQueue } from '#platform/admission/password-queue.ts'
import { createPasswords } from '#platform/identity/passwords.ts'
import type { EndEvent, StatusEvent } from '#platform/live/status-bus.ts'
import { sourcesFolder } from '#platform/storage/create-storage.ts'
import { openFileCache } from '#platform/storage/file-cache.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { createValidatorPool, type ValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { createWebhookSender } from '#platform/webhooks/webhook-sender.ts'
import { readEnv } from '#env.ts'
import type { Settings } from '#complete-env.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { createRateLimits } from '#platform/admission/rate-limits.ts'
import { openStorage } from '#platform/storage/identify-storage.ts'
import { bundledPrograms } from '#test/bundled-programs.ts'
import { buildAccessToken, buildAdministrator, buildUser } from '#test/factories.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { testSecrets } from '#test/test-secrets.ts'

export type TestCall = {
  as?: UserRow | string
  body?: unknown
  headers?: Record<string, string>
  apiKey?: string | null
}

export type TestApp = {
  app: FastifyInstance
  deps: Deps
  /** The database as its owner, for what the portal itself may not do. */
  owner: Db
  /** The work whose workers were to be woken, in order; there are none. */
  wakened: WakeableWork[]
  /** Published status changes, in order. */
  events: (StatusEvent | EndEvent)[]
  /** Sends a request with the API key, and with the token of `as` (a user, or a token as text). */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    options?: TestCall,
  ): Promise<LightMyRequestResponse>
  /** An access token of a new session of the user. */
  tokenOf(user: UserRow): Promise<string>
  administrator: UserRow
  clerk: UserRow
  close(): Promise<void>
}

const MIB = 1024 * 1024

/** The web server on its own database, with an administrator and a clerk. Call `close` in `afterAll`. */
export async function createTestApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'veridict-test-'))
  const env: Settings = {
    ...readEnv({ DATA_DIR: dataDir }),
    databaseUrl: database.url,
    ...testSecrets,
    ...settings,
  }
  const wakened: TestApp['wakened'] = []
  const events: TestApp['events'] = []
  const folders = { read: [sourcesFolder(env)], write: [join(dataDir, 'generated-files')] }
  const program = join(await bundledPrograms(), 'validator-process.js')
  const validator = createValidatorPool({ processes: 1, folders, program })
  const deps = await testDeps(env, wakened, events, validator)
  const app = await buildApp(deps)
  const owner = openDatabase(env.databaseUrl)
  const [administrator, clerk] = [await buildAdministrator(deps.db), await buildUser(deps.db)]

  const tokenOf = (user: UserRow) => buildAccessToken(deps, user)
  return {
    app,
    deps,
    owner,
    wakened,
    events,
    tokenOf,
    administrator,
    clerk,
    async call(method, url, { as, body, headers, apiKey = testSecrets.apiKey } = {}) {
      const token = as === undefined || typeof as === 'string' ? as : await tokenOf(as)
      const request: InjectOptions = { method, url, headers: { ...headers } }
      if (apiKey !== null) request.headers = { ApiKey: apiKey, ...request.headers }
      if (token !== undefined) request.headers = { authorization: `Bearer ${token}`, ...request.headers }
      if (body !== undefined) request.payload = body as object
      return app.inject(request)
    },
    async close() {
      await app.close()
      validator.close()
      await deps.passwords.close()
      await deps.db.destroy()
      await owner.destroy()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Real drivers, but what is published is only recorded. */
async function testDeps(
  env: Settings,
  wakened: TestApp['wakened'],
  events: TestApp['events'],
  validator: ValidatorPool,
): Promise<Deps> {
  const passwords = createPasswords()
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const db = openDatabase(env.databaseUrl, { role: await preparePortalRole(env.databaseUrl, log) })
  const storage = await openStorage(env, { db, ids: randomIds, log })
  await storage.confirm()
  return {
    env,
    caller: portalItself,
    db,
    clock: systemClock,
    ids: randomIds,
    passwords,
    passwordQueue: createPasswordQueue(passwords),
    tokens: createTokens(env),
    limits: createRateLimits(env, db),
    identityProvider: env.singleSignOn && createIdentityProvider(env.singleSignOn, systemClock),
    mailer: createOutboxFolder(join(env.dataDir, 'outbox'), env.mailFrom),
    webhooks: createWebhookSender({ allowPrivate: env.webhookAllowPrivate }),
    jobs: { wake: async (work) => void wakened.push(work), onWake: () => () => {} },
    bus: {
      publish: async (status) => void events.push(status),
      publishEnd: async (end) => void events.push(end),
      subscribe: () => () => {},
    },
    leases: { next: () => newLeaseOf(null) },
    storage,
    validator,
    generatedFiles: await openFileCache(join(env.dataDir, 'generated-files'), 100 * MIB),
    log,
    metrics: createMetrics(),
    tracing: noTracing,
    stopping: new AbortController().signal,
  }
}
