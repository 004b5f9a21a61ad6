import type {
  CompanyDictionaryItem,
  CompanyItem,
  CompanyUserItem,
  readCompany,
} from '@veridict/contract/api/companies'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { CompanyRow } from '#platform/database/tables.ts'
import type { CompanyDictionaryRow, CompanySummary, CompanyUserRow } from '#companies/companies.ts'
import { companyEtag, userEtag } from '#platform/etags.ts'

export const presentCompanyItem = (company: CompanySummary): CompanyItem => ({
  companyId: company.id,
  companyName: company.name,
  containerName: company.storageFolder,
  address: company.address,
  userCount: company.userCount,
  dataDictionaryCount: company.dictionaryCount,
  lastUpdated: company.updatedAt.toISOString(),
})

export const presentCompany = (company: CompanyRow): ReplyOf<typeof readCompany> => ({
  companyName: company.name,
  address: company.address,
  containerName: company.storageFolder,
  version: companyEtag(company),
})

export const presentCompanyDictionary = ({
  id,
  name,
  fieldCount,
}: CompanyDictionaryRow): CompanyDictionaryItem => ({
  id,
  name,
  fieldCount,
})

/** A user in the list of a company, where the wire calls the name `userName`. */
export const presentCompanyUser = (user: CompanyUserRow): CompanyUserItem => ({
  id: user.id,
  userName: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})
