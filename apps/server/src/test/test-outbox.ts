import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { MailRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { composeMail } from '#mail/mail-message.ts'
import { queueMail } from '#mail/queue-mail.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

export const testMail = composeMail({ subject: 'Grüße', name: 'Ada', opening: ['Hello.'] })

/** The outbox of a portal; nothing is in it before each test. */
export type TestOutbox = {
  readonly portal: TestApp
  /** Adds `testMail`. */
  queue(recipient: string): Promise<void>
  rows(): Promise<MailRow[]>
  /** Sends the e-mails that are due. */
  run(mailer: Mailer): ReturnType<typeof sendPendingMails>
  /** Sets all its times back, as if `interval` had passed; PostgreSQL's notation, such as '12 minutes'. */
  passTime(interval: string): Promise<void>
}

/** Called at the top of a test file, it starts the portal before the tests and closes it after them. */
export function createTestOutbox(): TestOutbox {
  let portal: TestApp
  beforeAll(async () => {
    portal = await createTestApp()
  })
  afterAll(() => portal.close())
  beforeEach(async () => {
    await portal.deps.db.deleteFrom('mails').execute()
  })
  return {
    get portal() {
      return portal
    },
    async queue(recipient) {
      await inTransaction(portal.deps.db, (trx) => queueMail(recipient, testMail, trx, portal.deps))
    },
    rows: () => portal.deps.db.selectFrom('mails').selectAll().orderBy('id').execute(),
    run: (mailer) => sendPendingMails({ ...portal.deps, mailer }),
    async passTime(interval) {
      await sql`update mails set created_at = created_at - ${interval}::interval,
        refused_since = refused_since - ${interval}::interval,
        next_attempt_at = next_attempt_at - ${interval}::interval`.execute(portal.deps.db)
    },
  }
}
