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

/**
 * Longer than handing a letter over can take: a letter that was taken by a process that died is taken again
 * after this.
 */
const CLAIM = sql`interval '2 minutes'`

/**
 * No letter is put off for longer; one that seems to be was put off before a clock was set back (reliability,
 * F28).
 */
const LONGEST_DELAY = sql`interval '1 hour'`

/** Takes the oldest letter that is due, so that nobody else sends it meanwhile, and counts the attempt. */
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

/** What was said is forgotten once it is said: letters carry links that set passwords. */
const emptied = { textBody: '', htmlBody: '' }

export async function markMailSent(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...emptied, sentAt: sql`now()`, lastError: null })
    .where('id', '=', id)
    .execute()
}

/** The letter is given up; operators see it in `mails` and in the log. */
export async function parkMail(db: Kysely<Database>, id: number, lastError: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ ...emptied, parkedAt: sql`now()`, lastError })
    .where('id', '=', id)
    .execute()
}

export async function deferMail(
  db: Kysely<Database>,
  id: number,
  seconds: number,
  lastError: string,
): Promise<void> {
  const nextAttemptAt = sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
  await db.updateTable('mails').set({ nextAttemptAt, lastError }).where('id', '=', id).execute()
}

/**
 * Puts a letter off because no letter can be handed over at the moment, which is nothing against this one:
 * the attempt does not count. The next run begins with it again, and after some minutes with the others: what
 * stops us might be this letter.
 */
export async function postponeMail(db: Kysely<Database>, id: number, lastError: string): Promise<void> {
  const delay = sql`case when created_at > now() - interval '3 minutes' then interval '0' else interval '4 minutes' end`
  const nextAttemptAt = sql<Date>`clock_timestamp() + ${delay}`
  await db
    .updateTable('mails')
    .set({ nextAttemptAt, lastError, attempts: sql`attempts - 1` })
    .where('id', '=', id)
    .execute()
}

/** Sent and parked letters older than `days` are of no use to anybody. */
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
