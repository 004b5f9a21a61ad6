import type { Paging } from '@veridict/contract/api/endpoint'
import { sql } from 'kysely'
import { runDeferred, runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db, MailRow, Trx } from '#platform/database/tables.ts'
import { containing, deleteOld, hasRow, type ListPage, pageOf, withCount } from '#platform/database/lists.ts'

export type NewMail = Pick<
  MailRow,
  'messageId' | 'recipient' | 'subject' | 'textBody' | 'htmlBody' | 'traceparent'
>

export const addMail = (trx: Trx, mail: NewMail): Promise<void> =>
  runDeferred(trx, trx.insertInto('mails').values(mail))

/** After it, another process can claim the e-mail. A process that is still sending renews its claim. */
const CLAIM = sql`interval '2 minutes'`

/** A `nextAttemptAt` further in the future is from before the clock was set back; the e-mail is then due. */
const LONGEST_DELAY = sql`interval '1 hour'`

/** The oldest that is due and the first of its recipient; no other worker sends it. Counts the attempt. */
export async function claimNextMail(db: Db): Promise<MailRow | undefined> {
  // No earlier e-mail to the same recipient waits, so that each person gets e-mails in their order.
  const claim = sql<MailRow>`
    update mails set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${CLAIM}
    where id = (
      select id from mails
      where sent_at is null and parked_at is null
        and (next_attempt_at <= clock_timestamp() or next_attempt_at > clock_timestamp() + ${LONGEST_DELAY})
        and not exists (
          select from mails as earlier
          where earlier.recipient = mails.recipient and earlier.id < mails.id
            and earlier.sent_at is null and earlier.parked_at is null
        )
      order by id limit 1 for update skip locked
    )
    returning *`
  return (await runPrepared(db, claim))[0]
}

/** Deletes its text, which may contain a link to set a password, valid for `lifeSeconds` from now on. */
export async function markMailSent(db: Db, id: number): Promise<void> {
  const mark = sql`
    with links as (
      update password_links set expires_at = now() + make_interval(secs => life_seconds)
      where mail_id = ${id} and life_seconds is not null
    )
    update mails set text_body = '', html_body = '', sent_at = now(), last_error = null where id = ${id}`
  await runPrepared(db, mark)
}

/** Extends the claim of a worker that is still sending the e-mail. */
export async function renewMailClaim(db: Db, id: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ nextAttemptAt: sql`clock_timestamp() + ${CLAIM}` })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .where('parkedAt', 'is', null)
    .execute()
}

/** Stops sending an e-mail until an administrator sends it again, for which its text stays. */
export async function parkMail(db: Db, id: number, lastError: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ parkedAt: sql`now()`, lastError })
    .where('id', '=', id)
    .execute()
}

/** Makes an unsent e-mail due at once. Returns false if there is none with this id. */
export function makeMailDue(db: Db, id: number): Promise<boolean> {
  const due = { parkedAt: null, nextAttemptAt: sql<Date>`clock_timestamp()`, refusedSince: null }
  const unsent = db.updateTable('mails').set(due).where('id', '=', id).where('sentAt', 'is', null)
  return hasRow(unsent.where('textBody', '<>', '').returning('id'))
}

/** How long to retry an e-mail that the server refuses for now. Mail servers usually retry for days, too. */
const MAX_REFUSAL = sql`interval '3 days'`

/**
 * By a twentieth of the time since the first refusal, from 15 seconds to an hour: after an outage of an hour
 * it is at most 3 minutes late. Returns false if the first refusal was 3 days ago.
 */
export function delayRefusedMail(db: Db, id: number, lastError: string): Promise<boolean> {
  const since = sql<Date>`coalesce(refused_since, clock_timestamp())`
  const delay = sql`greatest(interval '15 seconds',
    least(${LONGEST_DELAY}, (clock_timestamp() - ${since}) / 20))`
  const refused = { refusedSince: since, nextAttemptAt: sql<Date>`clock_timestamp() + ${delay}`, lastError }
  const mail = db.updateTable('mails').set(refused).where('id', '=', id)
  return hasRow(mail.where(since, '>', sql<Date>`clock_timestamp() - ${MAX_REFUSAL}`).returning('id'))
}

/**
 * For when the server cannot be reached; the attempt does not count. For 3 minutes it stays first in the
 * queue, then the others go first: this e-mail might be what breaks the connection.
 */
export async function delayBlockedMail(db: Db, id: number, lastError: string): Promise<void> {
  const delay = sql`case
    when created_at > now() - interval '3 minutes' then interval '0' else interval '4 minutes' end`
  const nextAttemptAt = sql<Date>`clock_timestamp() + ${delay}`
  await db
    .updateTable('mails')
    .set({ nextAttemptAt, lastError, attempts: sql`attempts - 1` })
    .where('id', '=', id)
    .execute()
}

/** Counts days since sending or parking: a parked e-mail that waited long must stay for administrators. */
export const deleteOldMails = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    { table: 'mails', madeAt: 'created_at', days },
    sql`coalesce(sent_at, parked_at) < now() - make_interval(days => ${days})`,
  )

/** A page of the e-mails that were not sent, newest first. */
export function findUnsentMails(
  db: Db,
  { SearchText, Parked, ...place }: Paging & { Parked?: boolean },
): Promise<ListPage<MailRow>> {
  const unsent = db
    .selectFrom('mails')
    .where('sentAt', 'is', null)
    .$if(Parked !== undefined, (query) => query.where('parkedAt', Parked ? 'is not' : 'is', null))
    .$call(containing(SearchText, ['recipient', 'subject']))
  return withCount(pageOf(unsent.selectAll().orderBy('id', 'desc'), place).execute(), unsent)
}

export const findMail = (db: Db, id: number): Promise<MailRow | undefined> =>
  db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()

export async function countMails(db: Db): Promise<{ waiting: number; parked: number }> {
  return db
    .selectFrom('mails')
    .select((row) => [
      row.fn.countAll<number>().filterWhere('parkedAt', 'is', null).as('waiting'),
      row.fn.countAll<number>().filterWhere('parkedAt', 'is not', null).as('parked'),
    ])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
}
