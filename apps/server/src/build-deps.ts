import { join } from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import { preparePortalRole } from '#platform/database/portal-role.ts'
import type { Deps, Log } from '#deps.ts'
import { systemClock } from '#platform/clock.ts'
import { createIdentityProvider } from '#platform/identity/identity-provider.ts'
import { randomIds } from '#platform/ids.ts'
import { createOutboxFolder } from '#platform/mail/outbox-folder.ts'
import { createSmtpMailer } from '#platform/mail/smtp.ts'
import {
  createMetrics,
  measuredMailer,
  measuredStorage,
  measuredValidator,
} from '#platform/telemetry/metrics.ts'
import { createPasswordQueue } from '#platform/admission/password-queue.ts'
import { createPasswords } from '#platform/identity/passwords.ts'
import { sourcesFolder } from '#platform/storage/create-storage.ts'
import { openFileCache } from '#platform/storage/file-cache.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { noTracing, type Tracing } from '#platform/telemetry/tracing.ts'
import { createValidatorPool, type ValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { createWebhookSender } from '#platform/webhooks/webhook-sender.ts'
import type { Settings } from '#complete-env.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { createPgStatusBus } from '#platform/live/pg-status-bus.ts'
import { createRateLimits } from '#platform/admission/rate-limits.ts'
import { openStorage } from '#platform/storage/identify-storage.ts'

const MIB = 1024 * 1024
const GENERATED_FILES_BYTES = 500 * MIB

/** The dependencies, and what starts and stops with the process. */
export type Runtime = {
  deps: Deps
  validator: ValidatorPool
  /** Aborted first when the process stops. */
  stopping: AbortController
  close(): Promise<void>
}

/** Constructs everything; nothing else in the server does. The database must be migrated. */
export async function buildDeps(
  env: Settings,
  log: Log,
  {
    isWorker = true,
    isWeb = false,
    isAhead = false,
    tracing = noTracing,
  }: { isWorker?: boolean; isWeb?: boolean; isAhead?: boolean; tracing?: Tracing } = {},
): Promise<Runtime> {
  const role = await preparePortalRole(env.databaseUrl, log, { isAhead })
  const db = openDatabase(env.databaseUrl, {
    onError: (error) => log.warn({ err: error }, 'a connection to the database was lost'),
    role,
  })
  const tokens = createTokens(env)
  const [secretNumber] = tokens.secretNumbers
  const bus = createPgStatusBus(env.databaseUrl, db, log, { isWorker, isWeb, secretNumber })
  const generatedFiles = join(env.dataDir, 'generated-files')
  const validator = createValidatorPool({
    processes: env.validatorProcesses,
    folders: { read: [sourcesFolder(env)], write: [generatedFiles] },
  })
  const metrics = createMetrics()
  const mailer =
    env.smtpUrl === null
      ? createOutboxFolder(join(env.dataDir, 'outbox'), env.mailFrom)
      : createSmtpMailer(env.smtpUrl, env.mailFrom, (end) =>
          metrics.mailCertificateEnd.set(end.getTime() / 1000),
        )
  const passwords = createPasswords()
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
    jobs: bus,
    leases: bus.leases,
    clock: systemClock,
    ids: randomIds,
    passwords,
    passwordQueue: createPasswordQueue(passwords),
    tokens,
    limits: createRateLimits(env, db),
    identityProvider: env.singleSignOn && createIdentityProvider(env.singleSignOn, systemClock),
    storage: measuredStorage(await openStorage(env, { db, ids: randomIds, log }), metrics),
    generatedFiles: await openFileCache(generatedFiles, GENERATED_FILES_BYTES),
  }
  const close = async () => {
    validator.close()
    await passwords.close()
    await bus.close()
    await mailer.close()
    await db.destroy()
  }
  return { deps, validator, stopping, close }
}
