import type { Paging } from '@veridict/contract/api/endpoint'
import type { CompanyForm } from '@veridict/contract/forms/company'
import { companyMessages } from '@veridict/contract/messages/companies'
import { sql } from 'kysely'
import type { CompanyRow, Db, Trx } from '#platform/database/tables.ts'
import {
  containing,
  countColumn,
  countRows,
  hasRow,
  type ListPage,
  pageByName,
  withCount,
} from '#platform/database/lists.ts'
import { refuseDuplicates } from '#platform/database/transaction.ts'
import { invalidatePasswordLinks } from '#users/password-links.ts'
import { endSessionsOfUsers } from '#users/sessions.ts'
import { found } from '#errors.ts'

export type CompanySummary = CompanyRow & { userCount: number; dictionaryCount: number }

const duplicates = {
  companies_name_key: companyMessages.duplicateName,
  companies_storage_folder_key: companyMessages.duplicateStorageFolder,
}

const existingCompanies = (db: Db) => db.selectFrom('companies').where('deletedAt', 'is', null)

export const countCompanies = (db: Db): Promise<number> => countRows(existingCompanies(db))

/** By name. Users and dictionaries are counted only for the rows of the page: fast with 10,000 companies. */
export function findCompanies(db: Db, paging: Paging): Promise<ListPage<CompanySummary>> {
  const matching = existingCompanies(db).$call(containing(paging.SearchText, ['name']))
  const page = db
    .with('page', () => pageByName(matching.selectAll(), paging))
    .selectFrom('page')
    .selectAll('page')
    .select((row) => [
      countColumn(
        row.selectFrom('users').whereRef('companyId', '=', 'page.id').where('users.deletedAt', 'is', null),
      ).as('userCount'),
      countColumn(row.selectFrom('companyDictionaries').whereRef('companyId', '=', 'page.id')).as(
        'dictionaryCount',
      ),
    ])
    .orderBy(sql`lower(page.name)`)
    .orderBy('page.id')
  return withCount(page.execute(), matching)
}

const existingCompany = (db: Db, id: number) => existingCompanies(db).where('id', '=', id).selectAll()

/** Throws 404 without such a company, like those that lock it. */
export const readCompany = (db: Db, id: number): Promise<CompanyRow> =>
  found(existingCompany(db, id).executeTakeFirst(), 'Company')

/** Other changes of the company wait until the transaction ends. */
export const lockCompany = (trx: Trx, id: number): Promise<CompanyRow> =>
  found(existingCompany(trx, id).forNoKeyUpdate().executeTakeFirst(), 'Company')

export const columnsOf = ({ name, containerName: storageFolder, address }: CompanyForm) => ({
  name,
  storageFolder,
  address,
})

/** Throws 409 when the name or the storage folder is taken. */
export async function insertCompany(db: Db, form: CompanyForm): Promise<number> {
  const insert = db.insertInto('companies').values(columnsOf(form)).returning('id')
  return (await refuseDuplicates(duplicates, () => insert.executeTakeFirstOrThrow())).id
}

/** Throws 409 when the name or the storage folder is taken. */
export async function changeCompany(trx: Trx, id: number, form: CompanyForm): Promise<void> {
  const row = { ...columnsOf(form), updatedAt: sql<Date>`now()` }
  const update = trx.updateTable('companies').set(row).where('id', '=', id)
  await refuseDuplicates(duplicates, () => update.execute())
}

/** Not an update of the company: forms that show it stay current. */
export async function changePause(trx: Trx, id: number, on: boolean): Promise<void> {
  const pausedAt = on ? sql<Date>`coalesce(paused_at, now())` : null
  await trx.updateTable('companies').set({ pausedAt }).where('id', '=', id).execute()
}

/** Sets "Last updated" of a company and locks it. Throws 404. */
export async function touchCompany(trx: Trx, id: number): Promise<void> {
  const update = trx.updateTable('companies').set({ updatedAt: sql<Date>`now()` })
  const touched = update.where('id', '=', id).where('deletedAt', 'is', null).returning('id')
  await found(touched.executeTakeFirst(), 'Company')
}

/** Deletes softly. The name can be used again; the storage folder cannot, because saved files stay in it. */
export async function markCompanyDeleted(trx: Trx, id: number): Promise<void> {
  const deleted = { deletedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()` }
  await trx.updateTable('companies').set(deleted).where('id', '=', id).execute()
}

/** Deletes a company's users softly, with their passwords, links and sessions. Returns them. */
export async function markCompanyUsersDeleted(trx: Trx, companyId: number) {
  const now = sql<Date>`now()`
  const deleted = { deletedAt: now, updatedAt: now, passwordHash: null }
  const users = trx
    .updateTable('users')
    .set(deleted)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
  const deletedUsers = await users.returning(['id', 'email']).execute()
  const ids = deletedUsers.map(({ id }) => id)
  await invalidatePasswordLinks(trx, ids)
  await endSessionsOfUsers(trx, ids)
  return deletedUsers
}

/** The storage folders that begin with a text of lower-case letters, also those of deleted companies. */
export async function findFolders(db: Db, beginning: string): Promise<string[]> {
  const folder = sql<string>`lower(storage_folder)`
  const companies = db.selectFrom('companies').where(folder, 'like', `${beginning}%`)
  return (await companies.select(folder.as('name')).execute()).map(({ name }) => name)
}

/** Whether a file of the company was ever saved in its storage folder. */
export function hasIngestedFiles(db: Db, companyId: number): Promise<boolean> {
  const ingested = db
    .selectFrom('submissions')
    .where('companyId', '=', companyId)
    .where('targetPath', 'is not', null)
  return hasRow(ingested.select('id').limit(1))
}

/** A page of the company's users by name; the search is in name and e-mail address. */
export function findCompanyUsers(db: Db, companyId: number, paging: Paging) {
  const users = db
    .selectFrom('users')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .$call(containing(paging.SearchText, ['name', 'email']))
  return withCount(pageByName(users.select(['id', 'name', 'email', 'phone']), paging).execute(), users)
}

/** Throws 409 if the two are associated already. */
export async function insertAssociation(trx: Trx, companyId: number, dictionaryId: number): Promise<void> {
  const insert = trx.insertInto('companyDictionaries').values({ companyId, dictionaryId })
  await refuseDuplicates({ company_dictionaries_pkey: companyMessages.alreadyAssociated }, () =>
    insert.execute(),
  )
}

/** Returns false if the two were not associated. */
export function deleteAssociation(trx: Trx, companyId: number, dictionaryId: number): Promise<boolean> {
  const association = trx
    .deleteFrom('companyDictionaries')
    .where('companyId', '=', companyId)
    .where('dictionaryId', '=', dictionaryId)
  return hasRow(association.returning('companyId'))
}

/** Also of a deleted company. It cannot change until `trx` ends; a later change sees our target path. */
export async function lockStorageFolderForShare(trx: Trx, companyId: number): Promise<string> {
  const company = trx.selectFrom('companies').where('id', '=', companyId).select('storageFolder').forShare()
  return (await company.executeTakeFirstOrThrow()).storageFolder
}
