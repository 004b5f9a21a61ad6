import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { schema } from '#platform/database/migrate.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { KnownStorage } from '#platform/storage/known-storage.ts'
import type { Validator } from '#platform/validator/create-validator-pool.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { commit, version } from '#version.ts'

/** The kinds of failures: storing a file, an e-mail, the validator on a file, a job, a call (5xx). */
const failureKinds = ['storing', 'mail', 'validator', 'job', 'call'] as const

/** The counters and timers of this process. `mount-metrics.ts` adds gauges that it reads at each request. */
export type Metrics = ReturnType<typeof createMetrics>

/** Seconds; from a short query to an upload of 25 MB over a slow connection. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 30, 120]

/** The metrics of one process, all at zero. docs/OPERATIONS.md lists them. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = (name: string, help: string) =>
    new Histogram({ name: `veridict_${name}_seconds`, help, buckets: DURATION_BUCKETS, registers })
  const total = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `veridict_${name}_total`, help, labelNames, registers })
  const metrics = {
    registry,
    validation: seconds('validation', "Time of the engine's work on a file"),
    storing: seconds('storing', "Time of copying an accepted file to its company's folder"),
    mail: seconds('mail', 'Time of handing one e-mail to the mail server'),
    calls: new Histogram({
      name: 'veridict_http_request_duration_seconds',
      help: 'Time from request to reply, by pattern of the path',
      labelNames: ['method', 'path', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    verdicts: total('verdicts', 'Verdicts of files', ['verdict']),
    failures: total('failures', 'What failed and is tried again or reported', ['kind']),
    takeovers: total('takeovers', 'Submissions taken over from a worker that died'),
    validatorRestarts: total('validator_restarts', 'Validator processes that crashed or ran too long'),
    purged: total('purged', 'Storage errors purged after 90 days'),
    failedLoginsLeftOut: total('failed_logins_left_out', 'Failed logins that the audit trail lacks'),
    mailCertificateEnd: new Gauge({
      name: 'veridict_mail_certificate_end_seconds',
      help: 'Unix time at which the certificate of the mail server ends',
      registers,
    }),
    sockets: new Gauge({ name: 'veridict_sockets', help: 'Open live connections', registers }),
  }
  const build = { version, commit, schema }
  const info = { name: 'veridict_build_info', help: 'Which program this is', registers }
  new Gauge({ ...info, labelNames: Object.keys(build) }).set(build, 1)
  metrics.mailCertificateEnd.set(NaN)
  // Counters begin at 0, so that Prometheus has a rate for the first failure, too.
  for (const kind of failureKinds) metrics.failures.inc({ kind }, 0)
  for (const verdict of ['passed', 'rowErrors', 'fileProblem']) metrics.verdicts.inc({ verdict }, 0)
  return metrics
}

/** The validator, timed. A process that crashed or ran too long is replaced, which counts as a restart. */
export const measuredValidator = (validator: Validator, metrics: Metrics): Validator => ({
  ...validator,
  async validate(...request) {
    const end = metrics.validation.startTimer()
    try {
      return await validator.validate(...request).finally(end)
    } catch (error) {
      if (error instanceof ValidatorError && error.reason !== 'aborted') {
        metrics.failures.inc({ kind: 'validator' })
        metrics.validatorRestarts.inc()
      }
      throw error
    }
  },
})

export const measuredMailer = (mailer: Mailer, metrics: Metrics): Mailer => ({
  ...mailer,
  async send(mail) {
    const end = metrics.mail.startTimer()
    await mailer.send(mail).finally(end)
  },
})

export const measuredStorage = (storage: KnownStorage, metrics: Metrics): KnownStorage => ({
  ...storage,
  async put(files, options) {
    const end = metrics.storing.startTimer()
    await storage.put(files, options).finally(end)
  },
})
