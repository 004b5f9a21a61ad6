import * as endpoints from '@veridict/contract/api/companies'
import * as tokenEndpoints from '@veridict/contract/api/company-tokens'
import * as webhookEndpoints from '@veridict/contract/api/webhooks'
import { companyMessages } from '@veridict/contract/messages/companies'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import type { FastifyInstance } from 'fastify'
import {
  associateDictionary,
  createCompany,
  deleteCompany,
  dissociateDictionary,
  pauseCompany,
  previewCompanyDeletion,
  updateCompany,
} from '#companies/change-company.ts'
import { readWebhook, setWebhook, testWebhook } from '#companies/company-webhook.ts'
import { createCompanyToken, listCompanyTokens, revokeCompanyToken } from '#companies/change-tokens.ts'
import {
  listCompanies,
  listCompanyDictionaries,
  listCompanyUsers,
  presentCompany,
  proposeFolder,
  readCompany,
} from '#companies/read-companies.ts'
import { mount, withMessage } from '#platform/http/mount.ts'

export function mountCompanies(app: FastifyInstance): void {
  mountTokens(app)
  mountWebhook(app)

  mount(app, endpoints.listCompanies, ({ query, deps }) => listCompanies(query, deps))

  mount(app, endpoints.proposeFolder, async ({ query, deps }) => ({
    containerName: await proposeFolder(query.name, deps),
  }))

  mount(app, endpoints.createCompany, async ({ body, deps }) => {
    const id = await createCompany(body, deps)
    return withMessage({ id }, companyMessages.created)
  })

  mount(app, endpoints.readCompany, async ({ params, deps }) =>
    presentCompany(await readCompany(params.id, deps)),
  )

  mount(app, endpoints.updateCompany, async ({ params, body, deps }) => {
    await updateCompany(params.id, body, deps)
    return withMessage({ id: params.id }, companyMessages.saved)
  })

  mount(app, endpoints.deleteCompany, async ({ params, deps }) => {
    await deleteCompany(params.id, deps)
    return { message: companyMessages.deleted }
  })

  mount(app, endpoints.pauseCompany, async ({ params, body: { on }, deps }) => {
    await pauseCompany(params.id, on, deps)
    return { message: on ? companyMessages.paused : companyMessages.resumed }
  })

  mount(app, endpoints.previewCompanyDeletion, ({ params, deps }) => previewCompanyDeletion(params.id, deps))

  mount(app, endpoints.listCompanyUsers, ({ params, query, deps }) =>
    listCompanyUsers(params.id, query, deps),
  )

  mount(app, endpoints.listCompanyDictionaries, ({ params, deps }) =>
    listCompanyDictionaries(params.id, deps),
  )

  mount(app, endpoints.associateDictionary, async ({ body, deps }) => {
    await associateDictionary(body.companyId, body.dataDictionaryId, deps)
    return { message: companyMessages.associated }
  })

  mount(app, endpoints.dissociateDictionary, async ({ params, deps }) => {
    await dissociateDictionary(params.companyId, params.dictionaryId, deps)
    return { message: companyMessages.dissociated }
  })
}

function mountTokens(app: FastifyInstance): void {
  mount(app, tokenEndpoints.listCompanyTokens, ({ params, deps }) => listCompanyTokens(params.id, deps))

  mount(app, tokenEndpoints.createCompanyToken, async ({ params, body, deps }) =>
    withMessage(await createCompanyToken(params.id, body, deps), companyTokenMessages.created),
  )

  mount(app, tokenEndpoints.revokeCompanyToken, async ({ params, deps }) => {
    await revokeCompanyToken(params.id, params.tokenId, deps)
    return { message: companyTokenMessages.revoked }
  })
}

function mountWebhook(app: FastifyInstance): void {
  mount(app, webhookEndpoints.readWebhook, ({ params, deps }) => readWebhook(params.id, deps))

  mount(app, webhookEndpoints.setWebhook, async ({ params, body, deps }) =>
    withMessage(
      await setWebhook(params.id, body, deps),
      body.url === null ? webhookMessages.removed : webhookMessages.set,
    ),
  )

  mount(app, webhookEndpoints.testWebhook, ({ params, deps }) => testWebhook(params.id, deps))
}
