import * as endpoints from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import type { FastifyInstance } from 'fastify'
import { listUnsentMails, sendMailAgain } from '#mail/unsent-mails.ts'
import { mount } from '#platform/http/mount.ts'

export function mountMails(app: FastifyInstance): void {
  mount(app, endpoints.listMails, ({ query, deps }) => listUnsentMails(query, deps))

  mount(app, endpoints.sendMailAgain, async ({ params, deps }) => {
    await sendMailAgain(params.id, deps)
    return { message: mailMessages.sentAgain }
  })
}
