import { join } from 'node:path'
import { openDatabase } from '#db/database.ts'
import { grantQueueRights, preparePortalRole } from '#db/portal-role.ts'
import type { Deps, Log } from '#deps.ts'
import { systemClock } from '#drivers/clock.ts'
import { createIdentityProvider } from '#drivers/identity-provider.ts'
import { randomIds } from '#drivers/ids.ts'
import { createOutboxFolder } from '#drivers/mail/outbox-folder.ts'
import { createSmtpMailer } from '#drivers/mail/smtp.ts'
import { measuredMailer, measuredStorage, measuredValidator } from '#drivers/measured.ts'
import { createMetrics } from '#drivers/metrics.ts'
import { createPasswordQueue } from '#drivers/password-queue.ts'
import { createPasswords } from '#drivers/passwords.ts'
import { sourcesFolder } from '#drivers/storage/create-storage.ts'
import { openFileCache } from '#drivers/storage/file-cache.ts'
import { createTokens } from '#drivers/tokens.ts'
import { noTracing, type Tracing } from '#drivers/tracing.ts'
import { createValidatorPool, type ValidatorPool } from '#drivers/validator/create-validator-pool.ts'
import { createWebhookSender } from '#drivers/webhook-sender.ts'
import { jobList } from '#jobs/job-list.ts'
import { openPgBossQueue, type PgBossQueue } from '#jobs/pg-boss-queue.ts'
import type { Settings } from '#complete-env.ts'
import { portalItself } from '#policies/caller.ts'
import { createPgStatusBus } from '#live/pg-status-bus.ts'
import { openRateLimits } from '#services/operations/open-rate-limits.ts'
import { openStorage } from '#services/operations/open-storage.ts'

const MIB = 1024 * 1024
const GENERATED_FILES_BYTES = 500 * MIB

/** The dependencies, and what starts and stops with the process. */
export type Runtime = {
  deps: Deps
  queue: PgBossQueue
  validator: ValidatorPool
  /** Aborted first when the process stops. */
  stopping: AbortController
  close(): Promise<void>
}

/**
 * Constructs everything; nothing else in the server does. The database must be migrated. Throws when the
 * queue cannot be opened.
 */
export async function buildDeps(
  env: Settings,
  log: Log,
  {
    isWorker = true,
    isAhead = false,
    tracing = noTracing,
  }: { isWorker?: boolean; isAhead?: boolean; tracing?: Tracing } = {},
): Promise<Runtime> {
  const role = await preparePortalRole(env.databaseUrl, log, { isAhead })
  const db = openDatabase(env.databaseUrl, {
    onError: (error) => log.warn({ err: error }, 'a connection to the database was lost'),
    role,
  })
  const bus = createPgStatusBus(env.databaseUrl, db, log, { isWorker })
  const queue = await openPgBossQueue(
    env.databaseUrl,
    jobList({ validatorProcesses: env.validatorProcesses }),
    bus,
    log,
  )
  if (role !== null) await grantQueueRights(env.databaseUrl, role)
  const generatedFiles = join(env.dataDir, 'generated-files')
  const validator = createValidatorPool({
    processes: env.validatorProcesses,
    folders: { read: [sourcesFolder(env)], write: [generatedFiles] },
  })
  const mailer =
    env.smtpUrl === null
      ? createOutboxFolder(join(env.dataDir, 'outbox'), env.mailFrom)
      : createSmtpMailer(env.smtpUrl, env.mailFrom)
  const passwords = createPasswords()
  const metrics = createMetrics()
  const stopping = new AbortController()
  const deps: Deps = {
    env,
    log,
    metrics,
    tracing,
    stopping: stopping.signal,
    caller: portalItself,
    db,
    bus,
    validator: measuredValidator(validator, metrics),
    mailer: measuredMailer(mailer, metrics),
    webhooks: createWebhookSender({ allowPrivate: env.webhookAllowPrivate }),
    jobs: queue,
    leases: bus.leases,
    clock: systemClock,
    ids: randomIds,
    passwords,
    passwordQueue: createPasswordQueue(passwords),
    tokens: createTokens(
      { secret: env.tokenSecret, accessTokenMinutes: env.accessTokenMinutes },
      systemClock,
    ),
    limits: openRateLimits(env, { db }),
    identityProvider: env.singleSignOn && createIdentityProvider(env.singleSignOn, systemClock),
    storage: measuredStorage(await openStorage(env, { db, ids: randomIds, log }), metrics),
    generatedFiles: await openFileCache(
      generatedFiles,
      GENERATED_FILES_BYTES,
      join(env.dataDir, 'made-files'),
    ),
  }
  const close = async () => {
    await queue.stop()
    validator.close()
    await passwords.close()
    await bus.close()
    await mailer.close()
    await db.destroy()
  }
  return { deps, queue, validator, stopping, close }
}
