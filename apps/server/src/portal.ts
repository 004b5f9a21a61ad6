import { once } from 'node:events'
import { join } from 'node:path'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildWorkerApp } from '#app.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'
import { seedDemo } from '#commands/seed.ts'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate, schema, type SchemaState } from '#platform/database/migrate.ts'
import { buildDeps, type Runtime } from '#build-deps.ts'
import type { Log } from '#deps.ts'
import { noTracing, type Tracing } from '#platform/telemetry/tracing.ts'
import { EnvError, type Env } from '#env.ts'
import { jobList } from '#job-list.ts'
import { startJobs } from '#start-jobs.ts'
import {
  startAuditHeads,
  startAuditLinking,
  startGeneratedFilesSweep,
  startMaintenance,
} from '#periodic-work.ts'
import { completeEnv } from '#complete-env.ts'
import { setAuditRetention } from '#audit/keep-audit-trail.ts'
import { ensureSigningKey } from '#platform/signing/receipt-keys.ts'
import { findDegraded } from '#operations/find-degraded.ts'
import { settleIfBehind } from '#operations/after-restore.ts'
import { sealWebhookSecrets } from '#webhooks/webhooks.ts'
import { createFirstAdministrator } from '#users/add-user.ts'
import { refuseLockout } from '#users/password-login.ts'
import { stopListening } from '#platform/http/connections.ts'
import { beginRuns } from '#platform/database/marks.ts'
import { commit, version } from '#version.ts'

const SECOND = 1000

export type Roles = { web: boolean; worker: boolean }
/** `address`: null without the web role. `databaseFolder`: null unless it lies outside DATA_DIR. */
export type Portal = { address: string | null; databaseFolder: string | null; stop(): Promise<void> }

/** A database that is started together with the portal may be ready later. */
const DATABASE_WAIT_MILLISECONDS = 60 * SECOND
/** The web server starts last, so that a portal that responds works. After an error, all parts stop. */
export async function startPortal(
  env: Env,
  roles: Roles,
  log: Log,
  tracing: Tracing = noTracing,
): Promise<Portal> {
  log.info({ version, commit, schema }, 'the portal starts')
  if (roles.web) await refuseUsedPort(env)
  // The embedded database makes DATA_DIR so that the account of its server can pass.
  if (env.databaseUrl !== null) makePrivateFolder(env.dataDir)
  if (!env.isDemo && env.smtpUrl === null)
    log.warn(
      { outbox: join(env.dataDir, 'outbox') },
      'SMTP_URL is not set: no e-mail reaches anybody, and links that set passwords lie in the outbox folder',
    )
  // Last of all, so that the spans of what ends before are sent, too.
  const stops: (() => Promise<void>)[] = [tracing.close]
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  try {
    const embedded =
      env.databaseUrl === null
        ? await startEmbeddedPostgres({ dataDir: env.dataDir, log: (message) => log.info(message) })
        : null
    if (embedded !== null) stops.push(embedded.stop)
    const runtime = await openRuntime(env, roles, embedded, log, tracing)
    stops.push(runtime.close, startAuditLinking(runtime.deps))
    await ensureSigningKey(runtime.deps)
    await sealWebhookSecrets(runtime.deps)
    if ((await findDegraded(runtime.deps)).includes('tokenSecret'))
      log.error('another server signs with another TOKEN_SECRET, so sessions end and links fail at random')
    // Gives a new storage its id. Without its storage a portal starts all the same, says so, and waits.
    await runtime.deps.storage.confirm().catch(() => {})
    await settleIfBehind(runtime.deps.env.databaseUrl, runtime.deps)
    await fillNewDatabase(runtime)
    await refuseLockout(runtime.deps)
    if (roles.worker) stops.push(await startWork(runtime))
    const app = roles.web ? await listen(await buildApp(runtime.deps)) : await listenForHealthChecks(runtime)
    if (roles.web) stops.push(startGeneratedFilesSweep(runtime.deps))
    if (app !== null) stops.push(() => stopListening(app, env.finishSeconds))
    stops.push(() => drain(runtime))
    if (embedded !== null) stops.push(embedded.prepareStop)
    return { address: roles.web ? env.publicUrl : null, databaseFolder: folderOutside(embedded, env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openRuntime(
  env: Env,
  roles: Roles,
  embedded: EmbeddedPostgres | null,
  log: Log,
  tracing: Tracing,
): Promise<Runtime> {
  const url = embedded?.url ?? (env.databaseUrl as string)
  const { ahead, unfinished } = await migrateWhenReady(url, log)
  if (ahead.length > 0)
    log.warn({ version, ahead }, 'a newer version has added to the schema; this version works with it')
  if (unfinished.length > 0)
    log.info({ unfinished }, 'once no older version runs, `veridict migrate --finish` removes what is unused')
  await setAuditRetention(url, env.auditRetentionDays)
  const settings = await completeEnv(env, url)
  const { web: isWeb, worker: isWorker } = roles
  return buildDeps(settings, log, { isWeb, isWorker, isAhead: ahead.length > 0, tracing })
}

async function migrateWhenReady(url: string, log: Log): Promise<SchemaState> {
  const deadline = Date.now() + DATABASE_WAIT_MILLISECONDS
  for (;;) {
    try {
      return await migrate(url)
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > deadline) throw error
      log.warn({ err: error }, 'the database is not ready yet')
      await sleep(2 * SECOND)
    }
  }
}

/** Fills a database that has no administrator: demo data in a demo, and the administrator of the settings. */
async function fillNewDatabase({ deps }: Runtime): Promise<void> {
  const { adminEmail: email, adminPassword: password } = deps.env
  const administrator = email !== null && password !== null ? { email, password } : null
  if (deps.env.isDemo) return seedDemo(deps, administrator)
  await createFirstAdministrator(administrator, deps)
}

async function startWork({ deps, validator }: Runtime): Promise<() => Promise<void>> {
  validator.warm()
  await beginRuns(deps.db)
  const stopJobs = startJobs(jobList(deps.env), deps)
  const stops = [startMaintenance(deps), startAuditHeads(deps)]
  return () => {
    stops.forEach((stop) => void stop())
    return stopJobs()
  }
}

async function listen(app: FastifyInstance): Promise<FastifyInstance> {
  const { env } = app.deps
  try {
    await app.listen({ port: env.port, host: env.host })
    return app
  } catch (error) {
    await app.close()
    throw toPortError(error, env)
  }
}

/** A worker works without its port, too: it may share the machine and the settings of a web server. */
async function listenForHealthChecks({ deps }: Runtime): Promise<FastifyInstance | null> {
  try {
    return await listen(buildWorkerApp(deps))
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    deps.log.warn({ err: error }, 'this worker has no port for /api/health, /api/ready and /metrics')
    return null
  }
}

/** Tells load balancers and waits until they have heard. */
async function drain({ stopping, deps }: Runtime): Promise<void> {
  stopping.abort()
  await sleep(deps.env.drainSeconds * SECOND)
}

/** Reports a port in use before a database is started for nothing. */
async function refuseUsedPort(env: Env): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen(env.port, env.host), 'listening')
  } catch (error) {
    throw toPortError(error, env)
  } finally {
    server.close()
  }
}

function toPortError(error: unknown, { port, host }: Env): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new EnvError([
        `PORT: another program uses ${port}; stop it or choose another port, for example PORT=${port + 1}`,
      ])
    case 'EACCES':
      return new EnvError([`PORT: this account has no right to open ${port}; choose a port above 1023`])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new EnvError([`HOST: this machine has no address ${host}`])
    default:
      return error
  }
}

const folderOutside = (embedded: EmbeddedPostgres | null, { dataDir }: Env): string | null =>
  embedded === null || embedded.folder.startsWith(dataDir) ? null : embedded.folder
