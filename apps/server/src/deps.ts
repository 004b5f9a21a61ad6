import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { openDatabase } from '#db/database.ts'
import type { Database } from '#db/tables.ts'
import { systemClock, type Clock } from '#drivers/clock.ts'
import { randomIds, type Ids } from '#drivers/ids.ts'
import type { JobQueue } from '#drivers/job-queue.ts'
import type { LeaseIds } from '#drivers/lease-ids.ts'
import type { Mailer } from '#drivers/mail/mailer.ts'
import { createPasswords, type Passwords } from '#drivers/passwords.ts'
import { createRateLimits, type RateLimits } from '#drivers/rate-limits.ts'
import type { StatusBus } from '#drivers/status-bus.ts'
import type { FileCache } from '#drivers/storage/file-cache.ts'
import type { Storage } from '#drivers/storage/storage.ts'
import { createTokens, type Tokens } from '#drivers/tokens.ts'
import type { Validator } from '#drivers/validator/validator.ts'
import type { Settings } from '#kept-secret.ts'

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
  /** Error files that were made once; any of them can be made again. */
  errorFiles: FileCache
  env: Settings
  log: Log
}
