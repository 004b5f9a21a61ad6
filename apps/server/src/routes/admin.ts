import * as endpoints from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { presentMail } from '#presenters/mail.ts'
import { presentPage } from '#presenters/page.ts'
import { listUnsentMails, sendMailAgain } from '#services/mail/unsent-mails.ts'
import { countTotals } from '#services/operations/counts.ts'

export function mountAdmin(app: FastifyInstance): void {
  mount(app, endpoints.readCounts, async ({ deps }) => {
    const { dictionaries, companies } = await countTotals(deps)
    return { totalDataDictionaries: dictionaries, totalCompanies: companies }
  })

  mount(app, endpoints.listMails, async ({ query, deps }) => {
    const { mails, totalCount } = await listUnsentMails(query, deps)
    return presentPage(mails.map(presentMail), totalCount, query)
  })

  mount(app, endpoints.sendMailAgain, async ({ params, deps }) => {
    await sendMailAgain(params.id, deps)
    return { message: mailMessages.sentAgain }
  })
}
