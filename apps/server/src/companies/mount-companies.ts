import * as endpoints from '@veridict/contract/api/companies'
import { companyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { changes, onlyAfter, recordAudit, recordView } from '#audit/record-audit.ts'
import {
  changeCompany,
  changePause,
  columnsOf,
  type CompanySummary,
  deleteAssociation,
  findCompanies,
  findCompanyUsers,
  findFolders,
  hasIngestedFiles,
  insertAssociation,
  insertCompany,
  lockCompany,
  markCompanyDeleted,
  markCompanyUsersDeleted,
  readCompany,
  touchCompany,
} from '#companies/companies.ts'
import { markTokensRevoked } from '#companies/company-tokens.ts'
import type { Deps } from '#deps.ts'
import { findCompanyDictionaries } from '#dictionaries/company-dictionaries.ts'
import { lockDictionaryForShare } from '#dictionaries/dictionaries.ts'
import { deleteAnswersOf } from '#dictionaries/remembered-answers.ts'
import { conflict, found } from '#errors.ts'
import { countCompanyFiles, countCompanyMembers } from '#platform/database/deletion-counts.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { companyEtag, refuseStale, userEtag } from '#platform/etags.ts'
import { mountCalls } from '#platform/http/mount.ts'
import { readPage } from '#platform/page.ts'
import { deleteWebhook } from '#webhooks/webhooks.ts'

export const mountCompanies = mountCalls(endpoints, {
  listCompanies: ({ query, deps: { db } }) => readPage(findCompanies(db, query), presentCompanyItem, query),

  proposeFolder: async ({ query, deps }) => ({ containerName: await proposeFolder(query.name, deps) }),

  /** 409 if the name or the storage folder is in use; deleted companies keep their folders. */
  createCompany: ({ body: form, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const id = await insertCompany(trx, form)
      const detail = onlyAfter(columnsOf(form))
      await recordAudit({ action: 'company.created', subject: form.name, companyId: id, detail }, trx, deps)
      return { id }
    }),

  async readCompany({ params, deps: { db } }) {
    const company = await readCompany(db, params.id)
    return {
      companyName: company.name,
      address: company.address,
      containerName: company.storageFolder,
      version: companyEtag(company),
      pausedAt: company.pausedAt?.toISOString() ?? null,
    }
  },

  /**
   * 409 if the name or folder is in use, the company was changed since `version` was read, or files were
   * ingested into a folder that would change (also by letter case, as most file systems distinguish it).
   */
  updateCompany: ({ params: { id }, body: { version: etag, ...form }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const company = await lockCompany(trx, id)
      refuseStale(etag, companyEtag(company))
      const movesFolder = form.containerName !== company.storageFolder
      if (movesFolder && (await hasIngestedFiles(trx, id))) throw conflict(companyMessages.storageFolderInUse)
      await changeCompany(trx, id, form)
      const { name: subject, storageFolder, address } = company
      const detail = changes({ name: subject, storageFolder, address }, columnsOf(form))
      await recordAudit({ action: 'company.updated', subject, companyId: id, detail }, trx, deps)
      return { id }
    }),

  /**
   * Deletes softly, with users and tokens; sessions, sockets and calls end. Names and e-mail addresses can be
   * used again; the storage folder cannot, and its files stay.
   */
  deleteCompany: ({ params: { id }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const company = await lockCompany(trx, id)
      await markCompanyDeleted(trx, id)
      await deleteWebhook(trx, id)
      await deleteAnswersOf(trx, id)
      const about = { companyId: id, subject: company.name }
      await recordAudit({ action: 'company.deleted', ...about }, trx, deps)
      for (const user of await markCompanyUsersDeleted(trx, id)) {
        await deps.bus.publishEnd({ userId: user.id }, trx)
        await recordAudit({ action: 'user.deleted', companyId: id, subject: user.email }, trx, deps)
      }
      for (const token of await markTokensRevoked(trx, id)) {
        await deps.bus.publishEnd({ tokenId: token.id }, trx)
        await recordAudit({ action: 'token.revoked', companyId: id, subject: token.name }, trx, deps)
      }
    }),

  async previewCompanyDeletion({ params: { id }, deps: { db } }) {
    const { storageFolder } = await readCompany(db, id)
    const [members, files] = await Promise.all([countCompanyMembers(db, id), countCompanyFiles(db, id)])
    return { containerName: storageFolder, ...members, ...files }
  },

  async pauseCompany({ params: { id }, body: { on }, deps }) {
    await inTransaction(deps.db, async (trx) => {
      const company = await lockCompany(trx, id)
      await changePause(trx, id, on)
      const detail = changes({ paused: company.pausedAt !== null }, { paused: on })
      await recordAudit({ action: 'company.paused', subject: company.name, companyId: id, detail }, trx, deps)
      if (on) return
      await deps.jobs.wake('validateSubmission', trx)
      await deps.jobs.wake('ingestSubmission', trx)
    })
    return { message: on ? companyMessages.paused : companyMessages.resumed }
  },

  async listCompanyUsers({ params: { id }, query, deps }) {
    const { name: subject } = await readCompany(deps.db, id)
    await recordView({ action: 'people.viewed', subject, companyId: id, key: `company ${id}` }, deps)
    return readPage(findCompanyUsers(deps.db, id, query), presentCompanyUser, query)
  },

  async listCompanyDictionaries({ params: { id }, deps: { db } }) {
    await readCompany(db, id)
    return findCompanyDictionaries(db, id)
  },

  associateDictionary: ({ body: { companyId, dataDictionaryId }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const subject = await lockBoth(trx, companyId, dataDictionaryId)
      await insertAssociation(trx, companyId, dataDictionaryId)
      await recordAudit({ action: 'dictionary.associated', subject, companyId }, trx, deps)
    }),

  /** Earlier submissions stay. */
  dissociateDictionary: ({ params: { companyId, dictionaryId }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const subject = await lockBoth(trx, companyId, dictionaryId)
      await found(deleteAssociation(trx, companyId, dictionaryId), 'Data dictionary')
      await recordAudit({ action: 'dictionary.removed', subject, companyId }, trx, deps)
    }),
})

/** Returns the name of the dictionary. 404 if either does not exist. */
async function lockBoth(trx: Trx, companyId: number, dictionaryId: number): Promise<string> {
  await touchCompany(trx, companyId)
  return (await lockDictionaryForShare(trx, dictionaryId)).name
}

const presentCompanyItem = (company: CompanySummary): endpoints.CompanyItem => ({
  companyId: company.id,
  companyName: company.name,
  containerName: company.storageFolder,
  address: company.address,
  userCount: company.userCount,
  dataDictionaryCount: company.dictionaryCount,
  lastUpdated: company.updatedAt.toISOString(),
})

/** The wire calls the name `userName`. */
const presentCompanyUser = (
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'phone'>,
): endpoints.CompanyUserItem => ({
  id: user.id,
  userName: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})

/** Leaves room for a number after it. */
const MAX_FOLDER_LENGTH = 90

/** Letters that are none with a mark. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', þ: 'th' }

/** `Müller & Söhne` → `muller-sohne`, or `muller-sohne-2` if that is or was a company's folder. */
async function proposeFolder(name: string, { db }: Pick<Deps, 'db'>): Promise<string> {
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
