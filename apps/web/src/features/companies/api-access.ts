import {
  createCompanyToken,
  listCompanyTokens,
  revokeCompanyToken,
} from '@veridict/contract/api/company-tokens'
import { readWebhook, setWebhook, testWebhook } from '@veridict/contract/api/webhooks'
import type { CompanyTokenForm } from '@veridict/contract/forms/company-token'
import { useMutation } from '@tanstack/react-query'
import { call } from '#lib/http/client.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'

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
