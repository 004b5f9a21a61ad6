import * as endpoints from '@veridict/contract/api/webhooks'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import { changes, recordAudit } from '#audit/record-audit.ts'
import { lockCompany, readCompany } from '#companies/companies.ts'
import { found, invalid } from '#errors.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { mountCalls, WithMessage } from '#platform/http/mount.ts'
import { sendWebhook } from '#webhooks/deliver-webhooks.ts'
import { countWaitingDeliveries, deleteWebhook, findWebhook, putWebhook } from '#webhooks/webhooks.ts'

export const mountWebhook = mountCalls(endpoints, {
  async readWebhook({ params: { id }, deps: { db } }) {
    await readCompany(db, id)
    const [webhook, waiting] = await Promise.all([findWebhook(db, id), countWaitingDeliveries(db, id)])
    return { url: webhook?.url ?? null, ...waiting }
  },

  /** 400 for an address where nothing may be sent. */
  async setWebhook({ params: { id: companyId }, body: { url }, deps }) {
    const refusal = url === null ? null : await deps.webhooks.refusalOf(url)
    const unsealed = { secretSalt: deps.ids.secret(), sealedSecret: null }
    const secret = { ...unsealed, sealedSecret: deps.tokens.sealedAgain(unsealed) }
    await inTransaction(deps.db, async (trx) => {
      const company = await lockCompany(trx, companyId)
      if (refusal !== null) throw invalid('url', refusal)
      const before = await findWebhook(trx, companyId)
      if (url === null) await deleteWebhook(trx, companyId)
      else await putWebhook(trx, { companyId, url, ...secret })
      const detail = changes({ sentTo: originOf(before?.url ?? null) }, { sentTo: originOf(url) })
      await recordAudit({ action: 'webhook.set', subject: company.name, companyId, detail }, trx, deps)
    })
    return url === null
      ? new WithMessage({ url, secret: null }, webhookMessages.removed)
      : new WithMessage({ url, secret: deps.tokens.webhookSecret(secret) }, webhookMessages.set)
  },

  async testWebhook({ params: { id }, deps }) {
    // In a transaction, although it only reads: it asks for the caller's authority before anything is sent.
    const webhook = await inTransaction(deps.db, async (trx) => {
      await readCompany(trx, id)
      return found(findWebhook(trx, id), 'Webhook')
    })
    const timestamp = deps.clock.now().toISOString()
    const event: endpoints.WebhookTestEvent = { type: 'webhook.test', timestamp, data: {} }
    const message = { messageId: `msg_${deps.ids.uuid()}`, body: JSON.stringify(event) }
    const response = await sendWebhook(webhook, message, deps)
    return 'status' in response
      ? { status: response.status, problem: null }
      : { status: null, problem: response.problem }
  },
})

/** Removes path and query, which may hold a secret of the receiver. */
const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin)
