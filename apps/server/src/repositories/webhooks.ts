import { sql, type Kysely, type Transaction } from 'kysely'
import { compileOnce } from '#db/compile-once.ts'
import { runDeferred } from '#db/prepared-statements.ts'
import type { Database, WebhookDeliveryRow, WebhookRow } from '#db/tables.ts'
import { countColumn, countDeleted } from '#repositories/lists.ts'

export function findWebhook(db: Kysely<Database>, companyId: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').where('companyId', '=', companyId).selectAll().executeTakeFirst()
}

export type WaitingDeliveries = { waitingCount: number; lastProblem: string | null }

/** The messages that wait for a company's webhook, and why the newest that failed did. */
export function countWaitingDeliveries(db: Kysely<Database>, companyId: number): Promise<WaitingDeliveries> {
  const waiting = db
    .selectFrom('webhookDeliveries')
    .where('companyId', '=', companyId)
    .where('deliveredAt', 'is', null)
    .where('givenUpAt', 'is', null)
  const failed = waiting.where('lastError', 'is not', null).orderBy('id', 'desc').limit(1)
  return db
    .selectNoFrom([
      countColumn(waiting).as('waitingCount'),
      failed.select('lastError').$asScalar().as('lastProblem'),
    ])
    .executeTakeFirstOrThrow()
}

/** Sets the webhook. What is waiting goes to the new address, at once. */
export async function putWebhook(
  trx: Transaction<Database>,
  webhook: { companyId: number; url: string; secretSalt: string },
): Promise<void> {
  const { url, secretSalt } = webhook
  await trx
    .insertInto('webhooks')
    .values(webhook)
    .onConflict((conflict) =>
      conflict.column('companyId').doUpdateSet({ url, secretSalt, setAt: sql<Date>`now()` }),
    )
    .execute()
  await trx
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: sql<Date>`now()` })
    .where('companyId', '=', webhook.companyId)
    .where('deliveredAt', 'is', null)
    .where('givenUpAt', 'is', null)
    .execute()
}

/** Removes the webhook and what is waiting for it. */
export async function deleteWebhook(trx: Transaction<Database>, companyId: number): Promise<void> {
  await trx.deleteFrom('webhooks').where('companyId', '=', companyId).execute()
  await trx
    .deleteFrom('webhookDeliveries')
    .where('companyId', '=', companyId)
    .where('deliveredAt', 'is', null)
    .where('givenUpAt', 'is', null)
    .execute()
}

const insertion = compileOnce(
  (db, { companyId, submissionId, messageId, body, traceparent }: Omit<NewDelivery, 'id'>) =>
    db
      .insertInto('webhookDeliveries')
      .columns(['companyId', 'submissionId', 'messageId', 'body', 'traceparent'])
      .expression((row) =>
        row
          .selectFrom('webhooks')
          .where('companyId', '=', companyId)
          .select((webhook) => [
            'companyId',
            webhook.val(submissionId).as('submissionId'),
            webhook.val(messageId).as('messageId'),
            webhook.val(body).as('body'),
            webhook.val(traceparent).as('traceparent'),
          ]),
      ),
)

/** Adds a message to the outbox if the company has a webhook. */
export const addDelivery = (trx: Transaction<Database>, delivery: NewDelivery): Promise<void> =>
  runDeferred(trx, insertion(delivery))
type NewDelivery = Pick<
  WebhookDeliveryRow,
  'companyId' | 'submissionId' | 'messageId' | 'body' | 'traceparent'
>

/** Longer than an attempt takes. A message whose process died is claimed again after this. */
const CLAIM = sql`interval '1 minute'`
/** No real delay is longer; a longer one means that the clock was set back since. */
const LONGEST_DELAY = sql`interval '1 day'`

const isDue = sql`delivered_at is null and given_up_at is null
  and next_attempt_at not between clock_timestamp() and clock_timestamp() + ${LONGEST_DELAY}`

/**
 * Claims messages that are due, so that no other worker sends them, and counts the attempt: at most one of
 * each company, so that a slow receiver delays its own company only. Companies with a failed message come
 * last: where a service that many of them use is down, their older messages would fill `limit` each time.
 */
export async function claimDeliveries(db: Kysely<Database>, limit: number): Promise<WebhookDeliveryRow[]> {
  // Materialized, and with the condition again on the locked rows: otherwise more could be claimed than
  // `limit`, or one that another worker has just sent.
  const { rows } = await sql<WebhookDeliveryRow>`
    with first as materialized (
      select distinct on (company_id) id from webhook_deliveries
      where ${isDue} order by company_id, next_attempt_at, id
    ), due as materialized (
      select id from webhook_deliveries where id in (select id from first) and ${isDue}
      order by exists (
        select from webhook_deliveries as failed
        where failed.company_id = webhook_deliveries.company_id and failed.last_error is not null
          and failed.delivered_at is null and failed.given_up_at is null
      ), next_attempt_at limit ${limit} for update skip locked
    )
    update webhook_deliveries
    set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${CLAIM}
    from due where webhook_deliveries.id = due.id
    returning webhook_deliveries.*
  `.execute(db)
  return rows
}

export async function markDelivered(db: Kysely<Database>, id: number): Promise<void> {
  const delivered = { deliveredAt: sql<Date>`now()`, lastError: null }
  await db.updateTable('webhookDeliveries').set(delivered).where('id', '=', id).execute()
}

/** Puts a message off; with `seconds` null it is given up. */
export async function delayDelivery(
  db: Kysely<Database>,
  id: number,
  seconds: number | null,
  lastError: string,
): Promise<void> {
  const change =
    seconds === null
      ? { givenUpAt: sql<Date>`now()`, lastError }
      : { nextAttemptAt: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`, lastError }
  await db.updateTable('webhookDeliveries').set(change).where('id', '=', id).execute()
}

/** Deletes messages older than `days` that were delivered or given up; returns how many. */
export const deleteOldDeliveries = (db: Kysely<Database>, days: number): Promise<number> =>
  countDeleted(
    db
      .deleteFrom('webhookDeliveries')
      .where('createdAt', '<', sql<Date>`now() - make_interval(days => ${days})`)
      .where((row) => row.or([row('deliveredAt', 'is not', null), row('givenUpAt', 'is not', null)])),
  )
