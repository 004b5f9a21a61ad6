import { sql, type Kysely } from 'kysely'
import type { Database, MailRow } from '#db/tables.ts'

export type NewMail = {
  messageId: string
  recipient: string
  subject: string
  textBody: string
  htmlBody: string
}

export async function addMail(db: Kysely<Database>, mail: NewMail): Promise<void> {
  await db.insertInto('mails').values(mail).execute()
}

/** Longer than sending takes. An e-mail whose process died is claimed again after this. */
const CLAIM = sql`interval '2 minutes'`

/** The longest real delay is shorter; a longer one means that the clock was set back since. */
const LONGEST_DELAY = sql`interval '1 hour'`

/** Claims the oldest e-mail that is due, so that no other worker sends it, and counts the attempt. */
export function claimNextMail(db: Kysely<Database>): Promise<MailRow | undefined> {
  return db
    .updateTable('mails')
    .set({ attempts: sql`attempts + 1`, nextAttemptAt: sql`clock_timestamp() + ${CLAIM}` })
    .where('id', '=', (query) =>
      query
        .selectFrom('mails')
        .select('id')
        .where('sentAt', 'is', null)
        .where('parkedAt', 'is', null)
        .where((row) =>
          row.or([
            row('nextAttemptAt', '<=', sql<Date>`clock_timestamp()`),
            row('nextAttemptAt', '>', sql<Date>`clock_timestamp() + ${LONGEST_DELAY}`),
          ]),
        )
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** The text is deleted once it is sent: it may contain a link to set a password. */
const emptied = { textBody: '', htmlBody: '' }

export async function markMailSent(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...emptied, sentAt: sql`now()`, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** Gives an e-mail up; operators see it in `mails` and in the log. */
export async function parkMail(db: Kysely<Database>, id: number, lastError: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...emptied, parkedAt: sql`now()`, lastError })
    .where('id', '=', id)
    .execute()
}

export async function delayRefusedMail(
  db: Kysely<Database>,
  id: number,
  seconds: number,
  lastError: string,
): Promise<void> {
  const nextAttemptAt = sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
  await db.updateTable('mails').set({ nextAttemptAt, lastError }).where('id', '=', id).execute()
}

/**
 * Puts an e-mail off while the server cannot be reached; the attempt does not count. It stays first in the
 * queue for 3 minutes, then the others go first: this very e-mail might be what breaks the connection.
 */
export async function delayBlockedMail(db: Kysely<Database>, id: number, lastError: string): Promise<void> {
  const delay = sql`case
    when created_at > now() - interval '3 minutes' then interval '0' else interval '4 minutes' end`
  const nextAttemptAt = sql<Date>`clock_timestamp() + ${delay}`
  await db
    .updateTable('mails')
    .set({ nextAttemptAt, lastError, attempts: sql`attempts - 1` })
    .where('id', '=', id)
    .execute()
}

/** Deletes sent and parked e-mails older than `days`. */
export async function deleteOldMails(db: Kysely<Database>, days: number): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('createdAt', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .where((row) => row.or([row('sentAt', 'is not', null), row('parkedAt', 'is not', null)]))
    .execute()
}

export async function countMails(db: Kysely<Database>): Promise<{ waiting: number; parked: number }> {
  return db
    .selectFrom('mails')
    .select((row) => [
      row.fn.countAll<number>().filterWhere('parkedAt', 'is', null).as('waiting'),
      row.fn.countAll<number>().filterWhere('parkedAt', 'is not', null).as('parked'),
    ])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
}
