import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { openDatabase } from '#db/database.ts'
import type { Database } from '#db/tables.ts'
import { systemClock, type Clock } from '#drivers/clock.ts'
import { randomIds, type Ids } from '#drivers/ids.ts'
import type { JobQueue } from '#drivers/job-queue.ts'
import type { LeaseIds } from '#drivers/lease-ids.ts'
import type { Mailer } from '#drivers/mail/mailer.ts'
import { createOutboxFolder } from '#drivers/mail/outbox-folder.ts'
import { createSmtpMailer } from '#drivers/mail/smtp.ts'
import { createPasswords, type Passwords } from '#drivers/passwords.ts'
import { createRateLimits, type RateLimits } from '#drivers/rate-limits.ts'
import type { StatusBus } from '#drivers/status-bus.ts'
import { createStorage } from '#drivers/storage/create-storage.ts'
import { openFileCache, type FileCache } from '#drivers/storage/file-cache.ts'
import type { Storage } from '#drivers/storage/storage.ts'
import { createTokens, type Tokens } from '#drivers/tokens.ts'
import { createValidatorPool, type ValidatorPool } from '#drivers/validator/create-validator-pool.ts'
import type { Validator } from '#drivers/validator/validator.ts'
import { jobList } from '#jobs/job-list.ts'
import { openPgBossQueue, type PgBossQueue } from '#jobs/pg-boss-queue.ts'
import type { Settings } from '#complete-env.ts'
import { createPgStatusBus } from '#live/pg-status-bus.ts'

const MIB = 1024 * 1024
const MADE_FILES_BYTES = 500 * MIB

export type Log = FastifyBaseLogger

/** Everything a service may need, handed down by name; each takes only what it uses (`Pick<Deps, …>`). */
export type Deps = {
  db: Kysely<Database>
  clock: Clock
  ids: Ids
  passwords: Passwords
  tokens: Tokens
  limits: RateLimits
  mailer: Mailer
  jobs: JobQueue
  bus: StatusBus
  leases: LeaseIds
  storage: Storage
  validator: Validator
  /** Error files and templates that were made once; any of them can be made again. */
  generatedFiles: FileCache
  env: Settings
  log: Log
}

/** What only `main.ts` uses: the sides of things that begin and end with the process. */
export type Runtime = { deps: Deps; queue: PgBossQueue; validator: ValidatorPool; close(): Promise<void> }

/**
 * Constructs everything. The database must be migrated; storage and queue are opened here and throw when they
 * cannot be.
 */
export async function buildDeps(env: Settings, log: Log): Promise<Runtime> {
  const db = openDatabase(env.databaseUrl, (error) =>
    log.warn({ err: error }, 'a connection to the database was lost'),
  )
  const bus = createPgStatusBus(env.databaseUrl, db, log)
  const queue = await openPgBossQueue(
    env.databaseUrl,
    jobList({ validatorProcesses: env.validatorProcesses }),
    log,
  )
  const validator = createValidatorPool({ processes: env.validatorProcesses })
  const mailer =
    env.smtpUrl === null
      ? createOutboxFolder(join(env.dataDir, 'outbox'), env.mailFrom)
      : createSmtpMailer(env.smtpUrl, env.mailFrom)
  const deps: Deps = {
    env,
    log,
    db,
    bus,
    validator,
    mailer,
    jobs: queue,
    leases: bus.leases,
    clock: systemClock,
    ids: randomIds,
    passwords: createPasswords(),
    tokens: createTokens(
      { secret: env.tokenSecret, accessTokenMinutes: env.accessTokenMinutes },
      systemClock,
    ),
    limits: createRateLimits(env, systemClock),
    storage: await createStorage(env.storageUrl),
    generatedFiles: await openFileCache(join(env.dataDir, 'made-files'), MADE_FILES_BYTES),
  }
  const close = async () => {
    await queue.stop()
    validator.close()
    await bus.close()
    await mailer.close()
    await db.destroy()
  }
  return { deps, queue, validator, close }
}
