import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'
import type { Clock } from '#drivers/clock.ts'
import type { IdentityProvider } from '#drivers/identity-provider.ts'
import type { Ids } from '#drivers/ids.ts'
import type { JobQueue } from '#drivers/job-queue.ts'
import type { Leases } from '#drivers/leases.ts'
import type { Mailer } from '#drivers/mail/mailer.ts'
import type { Metrics } from '#drivers/metrics.ts'
import type { PasswordQueue } from '#drivers/password-queue.ts'
import type { Passwords } from '#drivers/passwords.ts'
import type { RateLimits } from '#drivers/rate-limits.ts'
import type { StatusBus } from '#drivers/status-bus.ts'
import type { FileCache } from '#drivers/storage/file-cache.ts'
import type { KnownStorage } from '#drivers/storage/known-storage.ts'
import type { Tokens } from '#drivers/tokens.ts'
import type { Tracing } from '#drivers/tracing.ts'
import type { WebhookSender } from '#drivers/webhook-sender.ts'
import type { Validator } from '#drivers/validator/validator.ts'
import type { Caller } from '#policies/caller.ts'
import type { Settings } from '#complete-env.ts'

export type Log = FastifyBaseLogger

/**
 * What a service may use, passed down by name; each takes only its part (`Pick<Deps, …>`). Types only, so
 * that no import circle goes through this file. `build-deps.ts` constructs it.
 */
export type Deps = {
  db: Kysely<Database>
  clock: Clock
  ids: Ids
  passwords: Passwords
  /** In which all that hashes a password takes its turn. */
  passwordQueue: PasswordQueue
  tokens: Tokens
  limits: RateLimits
  /** For single sign-on; null without. */
  identityProvider: IdentityProvider | null
  mailer: Mailer
  webhooks: WebhookSender
  jobs: JobQueue
  bus: StatusBus
  leases: Leases
  storage: KnownStorage
  validator: Validator
  /** A cache: error files and templates that can be generated again. */
  generatedFiles: FileCache
  metrics: Metrics
  tracing: Tracing
  /** Aborted when the process has to stop: it is not ready any more, and ends when calls are done. */
  stopping: AbortSignal
  env: Settings
  log: Log
  /** Who causes what is done with these: `mount` gives each call its own. */
  caller: Caller
}
