import type * as endpoints from '@veridict/contract/api/companies'
import type { ReplyOf, Page, Paging } from '@veridict/contract/api/endpoint'
import { companyForm } from '@veridict/contract/forms/company'
import { recordView } from '#audit/record-audit.ts'
import {
  type CompanySummary,
  type CompanyUserRow,
  countCompanies,
  countCompanyUsers,
  findCompanies,
  findCompany,
  findCompanyDictionaries,
  findCompanyUsers,
  findFolders,
} from '#companies/companies.ts'
import type { Deps } from '#deps.ts'
import { found } from '#errors.ts'
import type { CompanyRow } from '#platform/database/tables.ts'
import { companyEtag, userEtag } from '#platform/etags.ts'
import { readPage } from '#platform/page.ts'

type ReadDeps = Pick<Deps, 'db'>

/** Leaves room for a number after it. */
const MAX_FOLDER_LENGTH = 90

export const listCompanies = (paging: Paging, { db }: ReadDeps): Promise<Page<endpoints.CompanyItem>> =>
  readPage(findCompanies(db, paging), countCompanies(db, paging.SearchText), presentCompanyItem, paging)

const presentCompanyItem = (company: CompanySummary): endpoints.CompanyItem => ({
  companyId: company.id,
  companyName: company.name,
  containerName: company.storageFolder,
  address: company.address,
  userCount: company.userCount,
  dataDictionaryCount: company.dictionaryCount,
  lastUpdated: company.updatedAt.toISOString(),
})

/** Letters that are none with a mark. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th' }

/** `Müller & Söhne` → `muller-sohne`, or `muller-sohne-2` if that is or was a company's folder. */
export async function proposeFolder(name: string, { db }: ReadDeps): Promise<string> {
  const plain = Array.from(name.toLowerCase().normalize('NFKD'), (letter) => LETTERS[letter] ?? letter)
  const words =
    plain
      .join('')
      .replace(/[\p{M}'’]/gu, '')
      .match(/[a-z0-9]+/g) ?? []
  const folder = words.join('-').slice(0, MAX_FOLDER_LENGTH).replace(/-$/, '')
  if (folder === '') return ''
  const taken = await findFolders(db, folder)
  for (let proposed = folder, number = 2; ; proposed = `${folder}-${number++}`)
    if (!taken.includes(proposed) && companyForm.shape.containerName.safeParse(proposed).success)
      return proposed
}

/** Throws 404 when there is no such company. */
export const readCompany = (id: number, { db }: ReadDeps): Promise<CompanyRow> =>
  found(findCompany(db, id), 'Company')

export const presentCompany = (company: CompanyRow): ReplyOf<typeof endpoints.readCompany> => ({
  companyName: company.name,
  address: company.address,
  containerName: company.storageFolder,
  version: companyEtag(company),
  pausedAt: company.pausedAt?.toISOString() ?? null,
})

/** A page of a company's users by name. Throws 404. */
export async function listCompanyUsers(
  companyId: number,
  paging: Paging,
  deps: ReadDeps & Pick<Deps, 'caller'>,
): Promise<Page<endpoints.CompanyUserItem>> {
  const { name: subject } = await readCompany(companyId, deps)
  await recordView({ action: 'people.viewed', subject, companyId, key: `company ${companyId}` }, deps)
  const count = countCompanyUsers(deps.db, companyId, paging.SearchText)
  return readPage(findCompanyUsers(deps.db, companyId, paging), count, presentCompanyUser, paging)
}

/** The wire calls the name `userName`. */
const presentCompanyUser = (user: CompanyUserRow): endpoints.CompanyUserItem => ({
  id: user.id,
  userName: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})

/** The dictionaries of a company by name. Throws 404 when there is no such company. */
export async function listCompanyDictionaries(
  companyId: number,
  deps: ReadDeps,
): Promise<endpoints.CompanyDictionaryItem[]> {
  await readCompany(companyId, deps)
  return findCompanyDictionaries(deps.db, companyId)
}
