import { SubmissionStatus, unsettledStatuses } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'
import { countColumn } from '#platform/database/lists.ts'

/** Users, dictionaries and tokens that belong to a company now. */
export function countCompanyMembers(db: Db, companyId: number) {
  const users = db.selectFrom('users').where('companyId', '=', companyId).where('deletedAt', 'is', null)
  const dictionaries = db.selectFrom('companyDictionaries').where('companyId', '=', companyId)
  const tokens = db
    .selectFrom('companyTokens')
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
  return db
    .selectNoFrom([
      countColumn(users).as('userCount'),
      countColumn(dictionaries).as('dataDictionaryCount'),
      countColumn(tokens).as('tokenCount'),
    ])
    .executeTakeFirstOrThrow()
}

/** All submissions of a company, by result. */
export function countCompanyFiles(db: Db, companyId: number) {
  const { IngestionSuccess, IngestionFailed } = SubmissionStatus
  return db
    .selectFrom('submissions')
    .where('companyId', '=', companyId)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', 'in', unsettledStatuses).as('filesInProcess'),
      fn.countAll<number>().filterWhere('status', '=', IngestionFailed).as('filesWithStorageError'),
      fn.countAll<number>().filterWhere('status', '=', IngestionSuccess).as('filesSaved'),
      fn.countAll<number>().as('filesUploaded'),
    ])
    .executeTakeFirstOrThrow()
}

export function countUserFiles(db: Db, userId: number) {
  return db
    .selectFrom('submissions')
    .where('userId', '=', userId)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', 'in', unsettledStatuses).as('filesInProcess'),
      fn.countAll<number>().as('filesUploaded'),
    ])
    .executeTakeFirstOrThrow()
}

/** Companies that have a dictionary, and files in process under any of its versions. */
export function countDictionaryUses(db: Db, dictionaryId: number) {
  const companies = db
    .selectFrom('companyDictionaries')
    .innerJoin('companies', 'companies.id', 'companyDictionaries.companyId')
    .where('dictionaryId', '=', dictionaryId)
    .where('companies.deletedAt', 'is', null)
  const inProcess = db
    .selectFrom('submissions')
    .innerJoin('dictionaryVersions', 'dictionaryVersions.id', 'submissions.dictionaryVersionId')
    .where('dictionaryVersions.dictionaryId', '=', dictionaryId)
    .where('submissions.status', 'in', unsettledStatuses)
  return db
    .selectNoFrom([countColumn(companies).as('companyCount'), countColumn(inProcess).as('filesInProcess')])
    .executeTakeFirstOrThrow()
}
