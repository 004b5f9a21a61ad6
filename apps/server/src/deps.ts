import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/database/tables.ts'
import type { Clock } from '#platform/clock.ts'
import type { IdentityProvider } from '#platform/identity/identity-provider.ts'
import type { Ids } from '#platform/ids.ts'
import type { JobBus } from '#platform/jobs/job-bus.ts'
import type { Leases } from '#platform/jobs/leases.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { PasswordQueue } from '#platform/admission/password-queue.ts'
import type { Passwords } from '#platform/identity/passwords.ts'
import type { RateLimits } from '#platform/admission/rate-limits.ts'
import type { StatusBus } from '#platform/live/status-bus.ts'
import type { FileCache } from '#platform/storage/file-cache.ts'
import type { KnownStorage } from '#platform/storage/known-storage.ts'
import type { Tokens } from '#platform/identity/tokens.ts'
import type { Tracing } from '#platform/telemetry/tracing.ts'
import type { WebhookSender } from '#platform/webhooks/webhook-sender.ts'
import type { Validator } from '#platform/validator/create-validator-pool.ts'
import type { Caller } from '#platform/access/viewer.ts'
import type { Settings } from '#complete-env.ts'

export type Log = FastifyBaseLogger

/** A service takes only its part (`Pick<Deps, …>`). Types only: no import circle goes through this file. */
export type Deps = {
  db: Db
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
  jobs: JobBus
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
