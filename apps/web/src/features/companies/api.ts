import { useMutation } from '@tanstack/react-query'
import {
  associateDictionary,
  createCompany,
  deleteCompany,
  dissociateDictionary,
  listCompanies,
  listCompanyDictionaries,
  previewCompanyDeletion,
  readCompany,
  updateCompany,
} from '@veridict/contract/api/companies'
import {
  createCompanyToken,
  listCompanyTokens,
  revokeCompanyToken,
} from '@veridict/contract/api/company-tokens'
import { listDictionaries } from '@veridict/contract/api/dictionaries'
import type { BodyInput } from '@veridict/contract/api/endpoint'
import { readWebhook, setWebhook, testWebhook } from '@veridict/contract/api/webhooks'
import type { CompanyForm } from '@veridict/contract/forms/company'
import type { CompanyTokenForm } from '@veridict/contract/forms/company-token'
import { pageSizes } from '@veridict/contract/limits'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, queryOf } from '#lib/http/query-of.ts'
import { type OnConflict, useChange } from '#lib/http/use-change.ts'

export const companiesQuery = (searchText: string, page: number) =>
  pageQueryOf(listCompanies, {
    query: { SearchText: searchText, PageNumber: page, PageSize: pageSizes.default },
  })

export const companyQuery = (id: number) => queryOf(readCompany, { params: { id } })

/** A company for its form, with the ETag that an update sends back. */
export async function rereadCompany(id: number) {
  const {
    companyName: name,
    containerName,
    address,
    version: etag,
  } = await call(readCompany, { params: { id } })
  return { values: { name, containerName, address }, etag }
}

export const companyDictionariesQuery = (id: number) => queryOf(listCompanyDictionaries, { params: { id } })

export const allDictionariesQuery = queryOf(listDictionaries, { query: { PageSize: pageSizes.max } })

export const useCreateCompany = () => useChange((body: CompanyForm) => call(createCompany, { body }))
export const useUpdateCompany = (id: number, onConflict: OnConflict) =>
  useChange(
    (body: BodyInput<typeof updateCompany>) => call(updateCompany, { params: { id }, body }),
    onConflict,
  )
/** What deleting a company changes: one sentence for each effect. */
export const effectsOfDeletion = async (id: number) =>
  deletionMessages.company(await call(previewCompanyDeletion, { params: { id } }))
export const useDeleteCompany = () => useChange((id: number) => call(deleteCompany, { params: { id } }))

export const useAssociateDictionary = (companyId: number) =>
  useChange((dataDictionaryId: number) =>
    call(associateDictionary, { body: { companyId, dataDictionaryId } }),
  )
export const useDissociateDictionary = (companyId: number) =>
  useChange((dictionaryId: number) => call(dissociateDictionary, { params: { companyId, dictionaryId } }))

export const companyTokensQuery = (companyId: number) =>
  queryOf(listCompanyTokens, { params: { id: companyId } })

export const useCreateToken = (companyId: number) =>
  useChange((body: CompanyTokenForm) => call(createCompanyToken, { params: { id: companyId }, body }))

export const useRevokeToken = (companyId: number) =>
  useChange((tokenId: number) => call(revokeCompanyToken, { params: { id: companyId, tokenId } }))

export const webhookQuery = (companyId: number) => queryOf(readWebhook, { params: { id: companyId } })

export const useSetWebhook = (companyId: number) =>
  useChange((url: string | null) => call(setWebhook, { params: { id: companyId }, body: { url } }))

export const useTestWebhook = (companyId: number) =>
  useMutation({ mutationFn: () => call(testWebhook, { params: { id: companyId } }) })
