import { pageSizes } from '@veridict/contract/limits'
import { SubmissionStatus, unsettledStatuses } from '@veridict/contract/model/submission-status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'

const { IngestionSuccess, IngestionFailed } = SubmissionStatus
const isInProcess = sql`submissions.status = any (${[...unsettledStatuses]})`

/** Not all of them: to count eight million takes seconds. */
const countFiles = (where: RawBuilder<unknown>) => sql<number>`
  (select count(*) from (select from submissions where ${where} limit ${pageSizes.maxCount}) counted)`

const countsOf = async <Counts>(db: Db, query: RawBuilder<Counts>): Promise<Counts> =>
  (await query.execute(db)).rows[0]!

export const countCompanyMembers = (db: Db, companyId: number) =>
  countsOf(
    db,
    sql<{ userCount: number; dataDictionaryCount: number; tokenCount: number }>`
      select (select count(*) from users
          where company_id = ${companyId} and deleted_at is null) as user_count,
        (select count(*) from company_dictionaries where company_id = ${companyId}) as data_dictionary_count,
        (select count(*) from company_tokens
          where company_id = ${companyId} and revoked_at is null and expires_at > now()) as token_count`,
  )

/** By result, each up to `pageSizes.maxCount`. */
export const countCompanyFiles = (db: Db, companyId: number) =>
  countsOf(
    db,
    sql<Record<'filesInProcess' | 'filesWithStorageError' | 'filesSaved' | 'filesUploaded', number>>`
      select ${countFiles(sql`company_id = ${companyId} and ${isInProcess}`)} as files_in_process,
        ${countFiles(sql`company_id = ${companyId} and status = ${IngestionFailed}`)}
          as files_with_storage_error,
        ${countFiles(sql`company_id = ${companyId} and status = ${IngestionSuccess}`)} as files_saved,
        ${countFiles(sql`company_id = ${companyId}`)} as files_uploaded`,
  )

/** The same of a user. */
export const countUserFiles = (db: Db, userId: number) =>
  countsOf(
    db,
    sql<{ filesInProcess: number; filesUploaded: number }>`
      select ${countFiles(sql`user_id = ${userId} and ${isInProcess}`)} as files_in_process,
        ${countFiles(sql`user_id = ${userId}`)} as files_uploaded`,
  )

/** Companies that have a dictionary, and files in process under any of its versions. */
export const countDictionaryUses = (db: Db, dictionaryId: number) =>
  countsOf(
    db,
    sql<{ companyCount: number; filesInProcess: number }>`
      select (select count(*) from company_dictionaries join companies on companies.id = company_id
          where dictionary_id = ${dictionaryId} and deleted_at is null) as company_count,
        (select count(*) from submissions
          join dictionary_versions as versions on versions.id = dictionary_version_id
          where versions.dictionary_id = ${dictionaryId} and ${isInProcess}) as files_in_process`,
  )
