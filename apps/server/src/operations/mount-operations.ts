import * as endpoints from '@veridict/contract/api/admin'
import { configPath, type WebConfig } from '@veridict/contract/api/config'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { operationMessages } from '@veridict/contract/messages/operation'
import type { FastifyInstance } from 'fastify'
import { changes, recordAudit } from '#audit/record-audit.ts'
import { changeMaintenance } from '#platform/database/marks.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { openApiDocument } from '#platform/http/openapi-document.ts'
import { apiDocsPage } from '#platform/http/api-docs-page.ts'
import { mount } from '#platform/http/mount.ts'
import { checkReadiness } from '#operations/check-readiness.ts'
import { countTotals, readOperation } from '#operations/counts.ts'
import { version } from '#version.ts'

/** Whether the process runs, and whether it works: for supervisors and load balancers. No API key needed. */
export function mountHealthChecks(app: FastifyInstance): void {
  const { deps } = app
  app.get('/api/health', async () => ({ value: { status: 'ok', version } }))

  app.get('/api/ready', async (_request, reply) => {
    const { failing, workers, degraded } = await checkReadiness(deps)
    if (failing.length === 0) return { degraded, value: { status: 'ready', workers } }
    return reply
      .status(503)
      .header('Retry-After', 5)
      .send({ message: noticeMessages.notReady(failing) })
  })
}

/** What programs and their authors need without an API key, and the counts of the dashboard. */
export function mountOperations(app: FastifyInstance): void {
  mount(app, endpoints.readCounts, ({ deps }) => countTotals(deps))

  mount(app, endpoints.readOperation, ({ deps }) => readOperation(deps))

  /** While it has a sentence for everybody, all uploads are refused with it. */
  mount(app, endpoints.setMaintenance, async ({ body, deps }) => {
    const message = body.on ? body.message : null
    await inTransaction(deps.db, async (trx) => {
      const detail = changes({ message: await changeMaintenance(trx, message) }, { message })
      await recordAudit({ action: 'operation.maintenance', subject: 'Maintenance mode', detail }, trx, deps)
    })
    return { message: body.on ? operationMessages.switchedOn : operationMessages.switchedOff }
  })

  const { deps } = app
  app.get(configPath, async (): Promise<WebConfig> => ({
    apiKey: deps.env.apiKey,
    version,
    ...(deps.identityProvider !== null && { singleSignOn: true }),
  }))

  // Written at the first request, since both take 0.1 s of a start; once, since no request needs a key.
  const document = () => openApiDocument(deps.env.publicUrl)
  let json: string | undefined
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= JSON.stringify(document()))),
  )
  let page: string | undefined
  app.get('/api/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send((page ??= apiDocsPage(document()))),
  )
}
