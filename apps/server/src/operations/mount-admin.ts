import * as endpoints from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import type { FastifyInstance } from 'fastify'
import { mount } from '#platform/http/mount.ts'
import { presentMail } from '#mail/present-mail.ts'
import { presentPage } from '#platform/page.ts'
import { listUnsentMails, sendMailAgain } from '#mail/unsent-mails.ts'
import { countTotals } from '#operations/counts.ts'

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
