import * as endpoints from '@veridict/contract/api/companies'
import { companyMessages } from '@veridict/contract/messages/companies'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { presentCompany, presentCompanyDictionary, presentCompanyItem } from '#companies/present-company.ts'
import { presentPage } from '#platform/http/page.ts'
import { presentCompanyUser } from '#users/present-user.ts'
import { associateDictionary, dissociateDictionary } from '#companies/associate-dictionary.ts'
import { deleteCompany, previewCompanyDeletion } from '#companies/delete-company.ts'
import {
  listCompanies,
  listCompanyDictionaries,
  listCompanyUsers,
  readCompany,
} from '#companies/read-companies.ts'
import { createCompany, updateCompany } from '#companies/save-company.ts'

export function mountCompanies(app: FastifyInstance): void {
  mount(app, endpoints.listCompanies, async ({ query, deps }) => {
    const { companies, totalCount } = await listCompanies(query, deps)
    return presentPage(companies.map(presentCompanyItem), totalCount, query)
  })

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

  mount(app, endpoints.previewCompanyDeletion, ({ params, deps }) => previewCompanyDeletion(params.id, deps))

  mount(app, endpoints.listCompanyUsers, async ({ params, query, deps }) => {
    const { users, totalCount } = await listCompanyUsers(params.id, query, deps)
    return presentPage(users.map(presentCompanyUser), totalCount, query)
  })

  mount(app, endpoints.listCompanyDictionaries, async ({ params, deps }) => {
    const dictionaries = await listCompanyDictionaries(params.id, deps)
    return dictionaries.map(presentCompanyDictionary)
  })

  mount(app, endpoints.associateDictionary, async ({ body, deps }) => {
    await associateDictionary(body.companyId, body.dataDictionaryId, deps)
    return { message: companyMessages.associated }
  })

  mount(app, endpoints.dissociateDictionary, async ({ params, deps }) => {
    await dissociateDictionary(params.companyId, params.dictionaryId, deps)
    return { message: companyMessages.dissociated }
  })
}
