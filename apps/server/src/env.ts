import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { emailAddress } from '@veridict/contract/forms/login'
import { newPassword } from '@veridict/contract/forms/password'
import { auditLimits } from '@veridict/contract/limits'
import { singleSignOnPath } from '@veridict/contract/notation/single-sign-on'
import { z } from 'zod'
import { readStorageAddress } from '#platform/storage/storage-address.ts'

const WEEK_OF_MINUTES = 7 * 24 * 60

/** An empty variable counts as not set: compose files and unit files often pass empty ones. */
const setting = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)
const text = setting(z.string().optional())
const count = (byDefault: number, minimum: number, maximum: number) =>
  setting(
    z.coerce
      .number(`must be a whole number from ${minimum} to ${maximum}`)
      .int('must be a whole number')
      .min(minimum, `must be at least ${minimum}`)
      .max(maximum, `must be at most ${maximum}`)
      .default(byDefault),
  )
const url = (protocols: readonly string[]) =>
  setting(
    z
      .string()
      .refine(
        (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
        `must be an address beginning with ${protocols.join(' or ')}`,
      )
      .optional(),
  )

const storageAddress = setting(
  z
    .string()
    .superRefine((value, context) => {
      try {
        readStorageAddress(value)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })
    .optional(),
)

const proxy = String.raw`(?:[\da-f.:]+(?:/\d+)?|loopback|linklocal|uniquelocal)`
const proxies = new RegExp(String.raw`^${proxy}(?:\s*,\s*${proxy})*$`, 'i')

/** Every setting; README lists them (a test compares). */
export const settings = z.object({
  PORT: count(3000, 0, 65_535),
  /** Interface to listen on: by default all, in demo mode only this machine. */
  HOST: text,
  /** Folder of everything that the portal stores on disk, relative to the working folder. */
  DATA_DIR: setting(z.string().default('./data')),
  /** PostgreSQL 15 or later. Without it the portal is a demo with a database of its own. */
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  /** A folder or a file://, s3:// or azure:// address. DATA_DIR/storage by default. */
  STORAGE_URL: storageAddress,
  /** Needed for an azure:// STORAGE_URL whose address has no account. */
  AZURE_STORAGE_CONNECTION_STRING: text,
  /** `smtp://user:password@host:587` or `smtps://…`. Without it, e-mails go to DATA_DIR/outbox. */
  SMTP_URL: url(['smtp:', 'smtps:']),
  MAIL_FROM: setting(
    z
      .string()
      .regex(/^[^\r\n]+$/)
      .default('Veridict <veridict@localhost>'),
  ),
  /** Address of the portal as browsers see it; links in e-mails begin with it. */
  PUBLIC_URL: url(['http:', 'https:']),
  /** Names the calling application; public. Generated for all servers of the database if missing. */
  API_KEY: setting(z.string().min(8, 'must have at least 8 characters').optional()),
  /** Signs tokens and webhooks. Generated for all servers of the database if missing. */
  TOKEN_SECRET: setting(z.string().min(32, 'must have at least 32 characters').optional()),
  /** What this one signed is valid, too, while TOKEN_SECRET is changed. */
  TOKEN_SECRET_PREVIOUS: setting(z.string().min(32, 'must have at least 32 characters').optional()),
  /** The first administrator, created at the first start. */
  ADMIN_EMAIL: setting(emailAddress.optional()),
  ADMIN_PASSWORD: setting(newPassword.optional()),
  /** An OpenID provider: its address (http only on this machine), and how it knows the portal. */
  OIDC_ISSUER: url(['https:', 'http:']),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  /** `off`: only the account of ADMIN_EMAIL logs in by password, all others by single sign-on. */
  PASSWORD_LOGIN: setting(z.enum(['on', 'off']).default('on')),
  /** `info` by default, in demo mode `warn`. */
  LOG_LEVEL: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional()),
  /** Days after which files of failed validations are deleted, and their errors cannot be downloaded. */
  RETENTION_DAYS: count(90, 1, 36_500),
  /** Days after which entries of the audit trail are deleted. */
  AUDIT_RETENTION_DAYS: count(400, auditLimits.minRetentionDays, 36_500),
  /** Whether clerks see all submissions of their company or only their own. */
  HISTORY_SCOPE: setting(z.enum(['company', 'user']).default('company')),
  /** More than the 2 minutes before expiry at which clients refresh. */
  ACCESS_TOKEN_MINUTES: count(15, 3, WEEK_OF_MINUTES),
  REFRESH_TOKEN_DAYS: count(7, 1, 365),
  /** Uploads per person or token, and minute, over all servers; twice as many in a burst. */
  UPLOADS_PER_MINUTE: count(60, 1, 1_000_000),
  /** `1`: webhooks may be sent to this machine, to private networks, and without encryption. */
  WEBHOOK_ALLOW_PRIVATE: setting(z.enum(['0', '1'], 'must be 0 or 1').default('0')),
  /** MiB of uploads that wait or are kept for error files and retries, per company; 0 is no limit. */
  COMPANY_QUOTA_MB: count(10_240, 0, 1_000_000_000),
  /** MiB that uploads leave free on the storage's disk, but at most 5 % of the disk; 0 is none. */
  MIN_FREE_SPACE_MB: count(512, 0, 1_000_000_000),
  /** Files of one company validated at once; by default half the processors. Other companies get one more. */
  VALIDATOR_PROCESSES: count(Math.max(1, Math.floor(availableParallelism() / 2)), 1, 64),
  /**
   * Seconds from the signal to stop until no connection is taken any more: /api/ready is 503 meanwhile, for
   * load balancers. 3 by default, in demo mode 0.
   */
  DRAIN_SECONDS: setting(z.coerce.number().int().min(0).max(600).optional()),
  /** Seconds that uploads and downloads then have to finish. */
  FINISH_SECONDS: count(8, 1, 3600),
  /** Collector of traces (OTLP over HTTP). The SDK reads the other standard variables itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']),
  /** Bearer token for /metrics. Without it /metrics is closed, except to programs beside a demo. */
  METRICS_TOKEN: setting(z.string().min(16, 'must have at least 16 characters').optional()),
  /** Whose X-Forwarded-For is trusted: addresses, ranges or `loopback`, with commas. None by default. */
  TRUST_PROXY: setting(
    z.string().regex(proxies, 'must be addresses, ranges or loopback, with commas').optional(),
  ),
})

/** The environment, checked. `isDemo`: no DATABASE_URL was given. Paths are absolute. */
export type Env = ReturnType<typeof toEnv>

/** Everything that is wrong with the settings, one sentence each. */
export class EnvError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Some settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'EnvError'
    this.problems = problems
  }
}

/** Reads the settings out of `source` (process.env). Throws EnvError with every problem at once. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const parsed = settings.safeParse(source)
  if (!parsed.success)
    throw new EnvError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const env = toEnv(parsed.data)
  const problems = [...problemsTogether(env), ...signOnProblems(parsed.data, env.isDemo)]
  if (problems.length > 0) throw new EnvError(problems)
  return env
}

function toEnv(given: z.output<typeof settings>) {
  const dataDir = resolve(given.DATA_DIR)
  const isDemo = given.DATABASE_URL === undefined
  const publicUrl = (given.PUBLIC_URL ?? `http://localhost:${given.PORT}`).replace(/\/+$/, '')
  return {
    port: given.PORT,
    host: given.HOST ?? (isDemo ? '127.0.0.1' : '0.0.0.0'),
    dataDir,
    /** null in demo mode until the embedded database runs. */
    databaseUrl: given.DATABASE_URL ?? null,
    isDemo,
    storageUrl: given.STORAGE_URL ?? resolve(dataDir, 'storage'),
    azureConnectionString: given.AZURE_STORAGE_CONNECTION_STRING ?? null,
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM,
    publicUrl,
    /** The name in PUBLIC_URL, which requests must be for; null: they may be for any. */
    publicHost: isDemo || given.PUBLIC_URL !== undefined ? new URL(publicUrl).hostname : null,
    apiKey: given.API_KEY ?? null,
    tokenSecret: given.TOKEN_SECRET ?? null,
    tokenSecretPrevious: given.TOKEN_SECRET_PREVIOUS ?? null,
    adminEmail: given.ADMIN_EMAIL ?? null,
    adminPassword: given.ADMIN_PASSWORD ?? null,
    /** null without OIDC_ISSUER. */
    singleSignOn: toSingleSignOn(given, publicUrl),
    passwordLogin: given.PASSWORD_LOGIN === 'on',
    logLevel: given.LOG_LEVEL ?? (isDemo ? 'warn' : 'info'),
    retentionDays: given.RETENTION_DAYS,
    auditRetentionDays: given.AUDIT_RETENTION_DAYS,
    historyScope: given.HISTORY_SCOPE,
    accessTokenMinutes: given.ACCESS_TOKEN_MINUTES,
    refreshTokenDays: given.REFRESH_TOKEN_DAYS,
    uploadsPerMinute: given.UPLOADS_PER_MINUTE,
    webhookAllowPrivate: given.WEBHOOK_ALLOW_PRIVATE === '1',
    companyQuotaMegabytes: given.COMPANY_QUOTA_MB,
    minFreeSpaceMegabytes: given.MIN_FREE_SPACE_MB,
    validatorProcesses: given.VALIDATOR_PROCESSES,
    drainSeconds: given.DRAIN_SECONDS ?? (isDemo ? 0 : 3),
    finishSeconds: given.FINISH_SECONDS,
    metricsToken: given.METRICS_TOKEN ?? null,
    /** null: no traces. */
    tracesUrl: given.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    trustProxy: given.TRUST_PROXY ?? null,
  }
}

/** `callback`: where the provider sends the browser back to. */
function toSingleSignOn(given: z.output<typeof settings>, publicUrl: string) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  return { issuer, clientId, clientSecret, callback: `${publicUrl}${singleSignOnPath}/callback` }
}

/** Settings of single sign-on that are wrong only in combination. */
function* signOnProblems(given: z.output<typeof settings>, isDemo: boolean): Generator<string> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, PASSWORD_LOGIN, ADMIN_EMAIL } = given
  const count = [issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter((value) => value !== undefined).length
  if (count > 0 && count < 3) yield 'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: set all three or none'
  if (issuer?.startsWith('http:') && !isLoopback(new URL(issuer).hostname)) {
    yield (
      'OIDC_ISSUER: must begin with https:// (http:// only on this machine), because its replies decide ' +
        'who logs in'
    )
  }
  if (PASSWORD_LOGIN === 'on') return
  if (issuer === undefined) yield 'PASSWORD_LOGIN: off needs OIDC_ISSUER, or nobody could log in'
  else if (ADMIN_EMAIL === undefined && !isDemo)
    yield 'PASSWORD_LOGIN: off needs ADMIN_EMAIL, who can log in when single sign-on is down'
}

/** Settings that are wrong only in combination. */
function* problemsTogether(env: Env): Generator<string> {
  if (env.isDemo && !isLoopback(env.host)) {
    yield (
      'HOST: must be 127.0.0.1, ::1 or localhost in demo mode, because its passwords are public; ' +
        'set DATABASE_URL to run in production mode'
    )
  }
  const storage = readStorageAddress(env.storageUrl)
  if (storage.kind === 'azure' && storage.account === null && env.azureConnectionString === null)
    yield 'STORAGE_URL: needs AZURE_STORAGE_CONNECTION_STRING, or ?account=… for the default credentials'
  if (env.adminEmail === null && env.adminPassword !== null) yield 'ADMIN_PASSWORD: needs ADMIN_EMAIL'
}

/** Whether an address or host name is this machine itself. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '')
  if (isIP(address) === 4) return address.startsWith('127.')
  return address === '::1' || address === 'localhost'
}
