import { sql, type RawBuilder } from 'kysely'
import type { Deps } from '#deps.ts'
import type { WebhookSecret } from '#platform/identity/tokens.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db, Trx, WebhookDeliveryRow, WebhookRow } from '#platform/database/tables.ts'
import { countColumn, deleteOld } from '#platform/database/lists.ts'
import { rowsOf } from '#platform/database/rows.ts'

export function findWebhook(db: Db, companyId: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').where('companyId', '=', companyId).selectAll().executeTakeFirst()
}

export type WaitingDeliveries = { waitingCount: number; lastProblem: string | null }

/** The number of messages that wait for a company's webhook, and the error of the newest failed one. */
export function countWaitingDeliveries(db: Db, companyId: number): Promise<WaitingDeliveries> {
  const waiting = db.selectFrom('webhookDeliveries').where('companyId', '=', companyId).where(isWaiting)
  const failed = waiting.where('lastError', 'is not', null).orderBy('id', 'desc').limit(1)
  return db
    .selectNoFrom([
      countColumn(waiting).as('waitingCount'),
      failed.select('lastError').$asScalar().as('lastProblem'),
    ])
    .executeTakeFirstOrThrow()
}

/** For operators: messages of all companies that wait, and those given up that were not deleted yet. */
export async function countDeliveries(db: Db): Promise<{ waiting: number; parked: number }> {
  const messages = db.selectFrom('webhookDeliveries')
  return db
    .selectNoFrom([
      countColumn(messages.where(isWaiting)).as('waiting'),
      countColumn(messages.where('givenUpAt', 'is not', null)).as('parked'),
    ])
    .executeTakeFirstOrThrow()
}

/** Sets the webhook. Waiting messages are sent to the new address at once. */
export async function putWebhook(
  trx: Trx,
  webhook: { companyId: number; url: string } & WebhookSecret,
): Promise<void> {
  const { companyId: _companyId, ...set } = webhook
  await trx
    .insertInto('webhooks')
    .values(webhook)
    .onConflict((conflict) => conflict.column('companyId').doUpdateSet({ ...set, setAt: sql<Date>`now()` }))
    .execute()
  await trx
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: sql<Date>`now()` })
    .where('companyId', '=', webhook.companyId)
    .where(isWaiting)
    .execute()
}

/** Uses the present key, at every start: receivers keep their secrets when the key changes. */
export async function sealWebhookSecrets({ db, tokens }: Pick<Deps, 'db' | 'tokens'>): Promise<void> {
  const webhooks = db.selectFrom('webhooks').select(['companyId', 'secretSalt', 'sealedSecret'])
  for (const webhook of await webhooks.execute()) {
    const sealedSecret = tokens.sealedAgain(webhook)
    if (sealedSecret === null) continue
    const update = db.updateTable('webhooks').set({ sealedSecret })
    const { companyId, secretSalt } = webhook
    await update.where('companyId', '=', companyId).where('secretSalt', '=', secretSalt).execute()
  }
}

/** Removes the webhook and the messages that wait for it. */
export async function deleteWebhook(trx: Trx, companyId: number): Promise<void> {
  await trx.deleteFrom('webhooks').where('companyId', '=', companyId).execute()
  await trx.deleteFrom('webhookDeliveries').where('companyId', '=', companyId).where(isWaiting).execute()
}

/** Adds a message to the outbox of a company that has a webhook. */
export async function addDelivery(trx: Trx, delivery: NewDelivery): Promise<void> {
  await runPrepared(trx, trx.insertInto('webhookDeliveries').values(delivery))
}
type NewDelivery = Pick<
  WebhookDeliveryRow,
  'companyId' | 'submissionId' | 'messageId' | 'body' | 'traceparent'
>

/** Longer than an attempt takes. If its process dies, a message can be claimed again after this time. */
const CLAIM = sql`interval '1 minute'`
/** The longest delay. A longer one means that the clock was set back since. */
const LONGEST_DELAY = sql`interval '1 day'`

const isWaiting = sql<boolean>`delivered_at is null and given_up_at is null`
// The time of the statement, with which an index can be used, unlike `clock_timestamp()`.
const isPast = sql`next_attempt_at <= statement_timestamp()`
const isTooLate = sql`next_attempt_at > statement_timestamp() + ${LONGEST_DELAY}`

/** At most `limit`; `hasFailed`: of companies with a failed message, or of the others; none of `except`. */
export type DeliveryClaim = { limit: number; hasFailed: boolean; except: readonly number[] }

/** Claims at most one of each company; counts the attempt. Reads two of each, however many wait. */
export const claimDeliveries = (db: Db, claim: DeliveryClaim): Promise<WebhookDeliveryRow[]> =>
  rowsOf<WebhookDeliveryRow>(db)`${deliveryClaim(claim)}`

// Materialized, and with the condition again on the locked rows: otherwise more could be claimed than
// `limit`, or one that another worker has just sent. With an array, because a join would read all that wait.
export const deliveryClaim = ({ limit, hasFailed, except }: DeliveryClaim): RawBuilder<WebhookDeliveryRow> =>
  sql`
    with first as materialized (
      select message.id from webhooks cross join lateral (
        (select id from webhook_deliveries
          where company_id = webhooks.company_id and ${isWaiting} and ${isPast}
          order by next_attempt_at limit 1)
        union all
        (select id from webhook_deliveries
          where company_id = webhooks.company_id and ${isWaiting} and ${isTooLate}
          order by next_attempt_at limit 1)
        limit 1
      ) as message
      where webhooks.company_id <> all(${except}::integer[]) and ${hasFailed} = exists (
        select from webhook_deliveries as failed
        where failed.company_id = webhooks.company_id and failed.last_error is not null
          and failed.delivered_at is null and failed.given_up_at is null
      )
    ), due as materialized (
      select id from webhook_deliveries
      where id = any(array(select id from first)) and ${isWaiting} and (${isPast} or ${isTooLate})
      order by next_attempt_at limit ${limit} for update skip locked
    )
    update webhook_deliveries
    set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${CLAIM}
    from due where webhook_deliveries.id = due.id
    returning webhook_deliveries.*
  `

export async function markDelivered(db: Db, id: number): Promise<void> {
  const delivered = { deliveredAt: sql<Date>`now()`, lastError: null }
  await db.updateTable('webhookDeliveries').set(delivered).where('id', '=', id).execute()
}

/** Delays the next attempt; if `seconds` is null, there is none any more. */
export async function delayDelivery(
  db: Db,
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

/** Delivered or given up, or without a webhook: added while it was removed, these are never claimed. */
export const deleteOldDeliveries = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    { table: 'webhook_deliveries', madeAt: 'created_at', days },
    sql`(delivered_at is not null or given_up_at is not null
      or company_id not in (select company_id from webhooks))`,
  )
