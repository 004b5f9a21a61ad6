import type { Paging } from '@veridict/contract/api/paging'
import { sql, type ExpressionBuilder, type Kysely, type QueryCreator, type Transaction } from 'kysely'
import { compileOnce } from '#db/compile-once.ts'
import { runKept, runUnread } from '#db/statements.ts'
import type { Database, MailRow } from '#db/tables.ts'
import { containsPattern, countDeleted, countRows } from '#repositories/lists.ts'

export type NewMail = {
  messageId: string
  recipient: string
  subject: string
  textBody: string
  htmlBody: string
  traceparent: string | null
}

/** Returns the id. */
export async function addMail(db: Kysely<Database>, mail: NewMail): Promise<number> {
  const [added] = await runKept(db, db.insertInto('mails').values(mail).returning('id'))
  return (added as { id: number }).id
}

/** The same in a transaction, for an e-mail whose id nobody needs. */
export const addUnreadMail = (trx: Transaction<Database>, mail: NewMail): Promise<void> =>
  runUnread(trx, insertion(mail))

const insertion = compileOnce(
  (db, { messageId, recipient, subject, textBody, htmlBody, traceparent }: NewMail) =>
    db.insertInto('mails').values({ messageId, recipient, subject, textBody, htmlBody, traceparent }),
)

/** An e-mail whose process died is claimed again after this. The process renews it while it sends. */
const CLAIM = sql`interval '2 minutes'`

/** The longest real delay; a longer one means that the clock was set back since. */
const LONGEST_DELAY = sql`interval '1 hour'`

type MailQuery = ExpressionBuilder<Database, 'mails'>

const isWaiting = (row: MailQuery) => row.and([row('sentAt', 'is', null), row('parkedAt', 'is', null)])

/** What one person gets arrives in the order in which it happened. `sentId` is being marked. */
const isFirstOfRecipient = (row: MailQuery, sentId: number) =>
  row.not(
    row.exists(
      row
        .selectFrom('mails as earlier')
        .select('earlier.id')
        .whereRef('earlier.recipient', '=', 'mails.recipient')
        .whereRef('earlier.id', '<', 'mails.id')
        .where('earlier.id', '<>', sentId)
        .where('earlier.sentAt', 'is', null)
        .where('earlier.parkedAt', 'is', null),
    ),
  )

/** The life of a link to set a password begins when its e-mail was sent. */
const beginLinks = (query: QueryCreator<Database>, sentId: number) =>
  query
    .updateTable('passwordLinks')
    .set({ expiresAt: sql`now() + make_interval(secs => life_seconds)` })
    .where('mailId', '=', sentId)
    .where('lifeSeconds', 'is not', null)

/** Without its text, which may contain such a link. */
const mark = (query: QueryCreator<Database>, sentId: number) =>
  query
    .updateTable('mails')
    .set({ textBody: '', htmlBody: '', sentAt: sql`now()`, lastError: null })
    .where('id', '=', sentId)

const markAlone = compileOnce((db, { sentId }: { sentId: number }) =>
  mark(
    db.with('links', (query) => beginLinks(query, sentId)),
    sentId,
  ),
)

const claim = compileOnce((db, { sentId }: { sentId: number }) =>
  db
    .with('links', (query) => beginLinks(query, sentId))
    .with('marked', (query) => mark(query, sentId))
    .updateTable('mails')
    .set({ attempts: sql`attempts + 1`, nextAttemptAt: sql`clock_timestamp() + ${CLAIM}` })
    .where('id', '=', (query) =>
      query
        .selectFrom('mails')
        .select('id')
        .where(isWaiting)
        // It is still waiting as this statement sees it.
        .where('id', '<>', sentId)
        .where((row) =>
          row.or([
            row('nextAttemptAt', '<=', sql<Date>`clock_timestamp()`),
            row('nextAttemptAt', '>', sql<Date>`clock_timestamp() + ${LONGEST_DELAY}`),
          ]),
        )
        .where((row) => isFirstOfRecipient(row, sentId))
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll(),
)

const NONE = 0

/**
 * Claims the oldest e-mail that is due and the first of its recipient, so that no other worker sends it, and
 * counts the attempt. With `sentId`, does in the same statement what `markMailSent` does.
 */
export async function claimNextMail(
  db: Kysely<Database>,
  sentId: number | null = null,
): Promise<MailRow | undefined> {
  return (await runKept(db, claim({ sentId: sentId ?? NONE })))[0]
}

/**
 * Records that the mail server took an e-mail: its text is deleted, because it may contain a link to set a
 * password; the life of that link begins now.
 */
export async function markMailSent(db: Kysely<Database>, sentId: number): Promise<void> {
  await runKept(db, markAlone({ sentId }))
}

/** The worker that has claimed an e-mail goes on sending it. */
export async function renewMailClaim(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ nextAttemptAt: sql`clock_timestamp() + ${CLAIM}` })
    .where('id', '=', id)
    .where(isWaiting)
    .execute()
}

/** Gives an e-mail up until an administrator sends it again; its text is kept for that. */
export async function parkMail(db: Kysely<Database>, id: number, lastError: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ parkedAt: sql`now()`, lastError })
    .where('id', '=', id)
    .execute()
}

/** An e-mail that was not sent is due at once. Returns false if there is none. */
export async function makeMailDue(db: Kysely<Database>, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ parkedAt: null, nextAttemptAt: sql`clock_timestamp()`, refusedSince: null })
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .where('textBody', '<>', '')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A server that refuses an e-mail for now is asked for this long; the mail servers of others do the same. */
const MAX_REFUSAL = sql`interval '3 days'`

/**
 * Puts off an e-mail that the server refused for now: by a twentieth of the time since it first did, so that
 * an outage of an hour delays by 3 minutes, and by an hour at most. Returns false if it was refused for
 * 3 days already.
 */
export async function delayRefusedMail(
  db: Kysely<Database>,
  id: number,
  lastError: string,
): Promise<boolean> {
  const since = sql<Date>`coalesce(refused_since, clock_timestamp())`
  const delay = sql`greatest(interval '15 seconds',
    least(${LONGEST_DELAY}, (clock_timestamp() - ${since}) / 20))`
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ refusedSince: since, nextAttemptAt: sql`clock_timestamp() + ${delay}`, lastError })
    .where('id', '=', id)
    .where(since, '>', sql<Date>`clock_timestamp() - ${MAX_REFUSAL}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
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

/**
 * Deletes e-mails that were sent or parked more than `days` ago; returns how many. One may have waited for
 * longer before that, for a mail server or in a backup, and administrators are to find it.
 */
export const deleteOldMails = (db: Kysely<Database>, days: number): Promise<number> =>
  countDeleted(
    db
      .deleteFrom('mails')
      .where(sql<Date>`coalesce(sent_at, parked_at)`, '<', sql<Date>`now() - make_interval(days => ${days})`),
  )

type MailFilter = Pick<Paging, 'SearchText'> & { Parked?: boolean }

/** E-mails that were not sent and match the filter. */
const unsentMails = (db: Kysely<Database>, { SearchText, Parked }: MailFilter) => {
  const pattern = containsPattern(SearchText)
  return db
    .selectFrom('mails')
    .where('sentAt', 'is', null)
    .$if(Parked !== undefined, (query) => query.where('parkedAt', Parked ? 'is not' : 'is', null))
    .$if(SearchText !== '', (query) =>
      query.where((row) => row.or([row('recipient', 'ilike', pattern), row('subject', 'ilike', pattern)])),
    )
}

/** A page of the e-mails that were not sent, newest first. */
export const findUnsentMails = (db: Kysely<Database>, query: Paging & MailFilter): Promise<MailRow[]> =>
  unsentMails(db, query)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.PageSize)
    .offset((query.PageNumber - 1) * query.PageSize)
    .execute()

export const countUnsentMails = (db: Kysely<Database>, filter: MailFilter): Promise<number> =>
  countRows(unsentMails(db, filter))

export const findMail = (db: Kysely<Database>, id: number): Promise<MailRow | undefined> =>
  db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()

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
