import type { Mailer } from '#platform/mail/mailer.ts'
import type { Metrics } from '#platform/telemetry/metrics.ts'
import type { KnownStorage } from '#platform/storage/known-storage.ts'
import { type Validator, ValidatorError } from '#platform/validator/validator.ts'

/** The validator, timed. A process that crashed or ran too long is replaced, which counts as a restart. */
export const measuredValidator = (validator: Validator, metrics: Metrics): Validator => ({
  ...validator,
  async validate(...request) {
    const end = metrics.validation.startTimer()
    try {
      return await validator.validate(...request)
    } catch (error) {
      if (error instanceof ValidatorError && error.reason !== 'aborted') {
        metrics.failures.inc({ kind: 'validator' })
        metrics.validatorRestarts.inc()
      }
      throw error
    } finally {
      end()
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
