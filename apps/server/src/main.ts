import { join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { banner } from '#banner.ts'
import { demoLogins } from '#commands/seed.ts'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import { noTracing, type Tracing } from '#platform/telemetry/tracing.ts'
import { readStorageAddress } from '#platform/storage/storage-address.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { EnvError, readEnv, type Env } from '#env.ts'
import { createLog } from '#log.ts'
import { startPortal, type Portal, type Roles } from '#portal.ts'

/** New files are for this account only. */
const PRIVATE = 0o077
/** With a storage of its own folder, programs of the same group may pick accepted files up there. */
const GROUP_READS = 0o027
/** For what follows running requests: jobs, connections, the embedded database. */
const STOP_MILLISECONDS = 18_000
const SAME_SIGNAL_MILLISECONDS = 1000

/** Whether files are stored in a folder outside DATA_DIR. */
function hasOwnFolder({ storageUrl, dataDir }: Env): boolean {
  const address = readStorageAddress(storageUrl)
  return address.kind === 'folder' && !address.path.startsWith(dataDir + sep)
}

/** `--roles=web,worker`, both by default. */
function readRoles(): Roles {
  const roles = readArguments()
    .roles.split(',')
    .map((role) => role.trim())
  const unknown = roles.filter((role) => role !== 'web' && role !== 'worker')
  if (unknown.length > 0)
    throw new EnvError([`--roles: unknown role "${unknown.join('", "')}"; the roles are web and worker`])
  return { web: roles.includes('web'), worker: roles.includes('worker') }
}

function readArguments(): { roles: string } {
  try {
    return parseArgs({ options: { roles: { type: 'string', default: 'web,worker' } } }).values
  } catch (error) {
    throw new EnvError([(error as Error).message])
  }
}

function announce(portal: Portal, env: Env): void {
  if (portal.address === null) return console.log('Veridict is ready for jobs.')
  const outbox = env.smtpUrl === null ? join(env.dataDir, 'outbox') : null
  const logins = env.isDemo ? demoLogins : []
  console.log(
    banner({
      address: portal.address,
      logins,
      dataDir: env.dataDir,
      outbox,
      databaseFolder: portal.databaseFolder,
    }),
  )
}

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const roles = readRoles()
  const tracing = await tracingOf(env, (reason) => log.warn({ reason }, 'traces could not be sent'))
  const log = createLog(env.logLevel, { traceFields: tracing.logFields })
  process.umask(hasOwnFolder(env) ? GROUP_READS : PRIVATE)
  // After an unexpected error the state is unknown: log it, exit, and let the supervisor restart us.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  const starting = startPortal(env, roles, log, tracing)
  const stopSeconds = env.drainSeconds + env.finishSeconds
  stopOnSignals(() => starting.then((portal) => portal.stop()), stopSeconds * 1000 + STOP_MILLISECONDS)
  announce(await starting, env)
}

/** The packages are loaded only where traces are wanted: they take a tenth of a second. */
async function tracingOf(env: Env, onProblem: (reason: string) => void): Promise<Tracing> {
  if (env.tracesUrl === null) return noTracing
  const { openTracing } = await import('#platform/telemetry/open-telemetry.ts')
  return openTracing(onProblem)
}

/** The first stops in order, a later one at once. Within a second it is the same, repeated by `npm start`. */
function stopOnSignals(stop: () => Promise<void>, maxMilliseconds: number): void {
  let stoppingSince = 0
  const onSignal = () => {
    if (stoppingSince > 0 && Date.now() - stoppingSince > SAME_SIGNAL_MILLISECONDS) process.exit(1)
    if (stoppingSince > 0) return
    stoppingSince = Date.now()
    setTimeout(() => process.exit(1), maxMilliseconds).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

const isExpected = (error: unknown): error is Error =>
  [EnvError, DatabaseStartError, StorageUnavailableError].some((kind) => error instanceof kind)

const sentenceOf = (error: Error): string =>
  error instanceof StorageUnavailableError
    ? `The storage (STORAGE_URL) cannot be used. ${error.message}.`
    : error.message

try {
  await main()
} catch (error) {
  console.error(isExpected(error) ? sentenceOf(error) : error)
  process.exit(1)
}
