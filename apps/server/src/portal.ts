import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#app.ts'
import { seedDemo } from '#commands/seed.ts'
import { isDatabaseDown } from '#db/database-down.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#db/embedded-postgres.ts'
import { migrate } from '#db/migrate.ts'
import { buildDeps, type Runtime } from '#build-deps.ts'
import type { Log } from '#deps.ts'
import { EnvError, type Env } from '#env.ts'
import { startGeneratedFilesSweep, startMaintenance } from '#jobs/periodic-work.ts'
import { completeEnv } from '#complete-env.ts'
import { createFirstAdministrator } from '#services/users/create-first-administrator.ts'

const SECOND = 1000

export type Roles = { web: boolean; worker: boolean }
/** A running portal. `address` is null without the web role. */
export type Portal = { address: string | null; databasePlace: string | null; stop(): Promise<void> }

/** A database that is started together with the portal may come up after it. */
const DATABASE_WAIT_MILLISECONDS = 60 * SECOND
/** Requests in the middle of something get this long to end when the portal stops. */
const FINISH_MILLISECONDS = 8 * SECOND

/**
 * Starts everything that `roles` ask for: database, schema, demo data or first administrator, jobs, and the
 * web side last, so that whoever gets an answer finds a portal that works. What was started is stopped again
 * when a later step fails.
 */
export async function startPortal(env: Env, roles: Roles, log: Log): Promise<Portal> {
  if (roles.web) await refuseTakenPort(env)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  try {
    const embedded =
      env.databaseUrl === null
        ? await startEmbeddedPostgres({ dataDir: env.dataDir, log: (message) => log.info(message) })
        : null
    if (embedded !== null) stops.push(embedded.stop)
    const runtime = await openRuntime(env, embedded, log)
    stops.push(runtime.close)
    await fillNewDatabase(runtime)
    if (roles.worker) stops.push(await startWork(runtime))
    const app = roles.web ? await listen(runtime) : null
    if (app !== null) stops.push(() => closeWeb(app), startSweep(runtime))
    return { address: app && env.publicUrl, databasePlace: placeApart(embedded, env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openRuntime(env: Env, embedded: EmbeddedPostgres | null, log: Log): Promise<Runtime> {
  const settings = await completeEnv(env, embedded?.url ?? (env.databaseUrl as string))
  await migrateWhenThere(settings.databaseUrl, log)
  return buildDeps(settings, log)
}

async function migrateWhenThere(url: string, log: Log): Promise<void> {
  const deadline = Date.now() + DATABASE_WAIT_MILLISECONDS
  for (;;) {
    try {
      return await migrate(url)
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > deadline) throw error
      log.warn({ err: error }, 'the database does not answer yet')
      await sleep(2 * SECOND)
    }
  }
}

/**
 * Demo data in a demo, with the administrator that is asked for; else that one alone. Nothing in a database
 * that has administrators.
 */
async function fillNewDatabase({ deps }: Runtime): Promise<void> {
  const { adminEmail: email, adminPassword: password } = deps.env
  const administrator = email !== null && password !== null ? { email, password } : null
  if (deps.env.isDemo) return seedDemo(deps, administrator)
  const hasAdministrator = await createFirstAdministrator(administrator, deps)
  if (!hasAdministrator)
    throw new EnvError([
      'ADMIN_EMAIL, ADMIN_PASSWORD: nobody can log in yet; give those of the first administrator',
    ])
}

async function startWork({ deps, queue, validator }: Runtime): Promise<() => Promise<void>> {
  validator.warm()
  await queue.work(deps)
  const stopMaintenance = startMaintenance(deps)
  return async () => stopMaintenance()
}

function startSweep({ deps }: Runtime): () => Promise<void> {
  const stop = startGeneratedFilesSweep(deps)
  return async () => stop()
}

async function listen({ deps }: Runtime): Promise<FastifyInstance> {
  const app = await buildApp(deps)
  try {
    await app.listen({ port: deps.env.port, host: deps.env.host })
    return app
  } catch (error) {
    await app.close()
    throw asPortProblem(error, deps.env)
  }
}

/** No new requests; those under way may finish, and are cut when they take too long. */
async function closeWeb(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), FINISH_MILLISECONDS)
  await app.close()
  clearTimeout(timer)
}

/** Tells about a taken port before a database is started for nothing. */
async function refuseTakenPort(env: Env): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) =>
      probe.once('error', reject).listen(env.port, env.host, resolve),
    )
  } catch (error) {
    throw asPortProblem(error, env)
  } finally {
    probe.close()
  }
}

function asPortProblem(error: unknown, { port, host }: Env): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new EnvError([
        `PORT: ${port} is taken by another program; stop that one, or choose another port, for example PORT=${port + 1}`,
      ])
    case 'EACCES':
      return new EnvError([`PORT: ${port} may not be opened by this account; choose one above 1023`])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new EnvError([`HOST: ${host} is no address of this machine`])
    default:
      return error
  }
}

const placeApart = (embedded: EmbeddedPostgres | null, env: Env): string | null =>
  embedded === null || embedded.place.startsWith(env.dataDir) ? null : embedded.place
