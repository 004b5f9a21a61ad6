import { pageSizes } from '@veridict/contract/limits'
import { SubmissionStatus, unsettledStatuses } from '@veridict/contract/model/submission-status'
import { type RawBuilder, sql } from 'kysely'
import { rowOf } from '#platform/database/rows.ts'
import type { Db } from '#platform/database/tables.ts'

const { IngestionSuccess, IngestionFailed } = SubmissionStatus
const isInProcess = sql`submissions.status = any (${[...unsettledStatuses]})`

/** Not all of them: to count eight million takes seconds. */
const countFiles = (where: RawBuilder<unknown>) => sql<number>`
  (select count(*) from (select from submissions where ${where} limit ${pageSizes.maxCount}) counted)`

export const countCompanyMembers = (db: Db, companyId: number) =>
  rowOf<{ userCount: number; dataDictionaryCount: number; tokenCount: number }>(db)`
    select (select count(*) from users
        where company_id = ${companyId} and deleted_at is null) as user_count,
      (select count(*) from company_dictionaries where company_id = ${companyId}) as data_dictionary_count,
      (select count(*) from company_tokens
        where company_id = ${companyId} and revoked_at is null and expires_at > now()) as token_count`

/** By result, each up to `pageSizes.maxCount`. */
export const countCompanyFiles = (db: Db, companyId: number) =>
  rowOf<Record<'filesInProcess' | 'filesWithStorageError' | 'filesSaved' | 'filesUploaded', number>>(db)`
    select ${countFiles(sql`company_id = ${companyId} and ${isInProcess}`)} as files_in_process,
      ${countFiles(sql`company_id = ${companyId} and status = ${IngestionFailed}`)}
        as files_with_storage_error,
      ${countFiles(sql`company_id = ${companyId} and status = ${IngestionSuccess}`)} as files_saved,
      ${countFiles(sql`company_id = ${companyId}`)} as files_uploaded`

/** The same of a user. */
export const countUserFiles = (db: Db, userId: number) =>
  rowOf<{ filesInProcess: number; filesUploaded: number }>(db)`
    select ${countFiles(sql`user_id = ${userId} and ${isInProcess}`)} as files_in_process,
      ${countFiles(sql`user_id = ${userId}`)} as files_uploaded`

/** Companies that have a dictionary, and files in process under any of its versions. */
export const countDictionaryUses = (db: Db, dictionaryId: number) =>
  rowOf<{ companyCount: number; filesInProcess: number }>(db)`
    select (select count(*) from company_dictionaries join companies on companies.id = company_id
        where dictionary_id = ${dictionaryId} and deleted_at is null) as company_count,
      (select count(*) from submissions
        join dictionary_versions as versions on versions.id = dictionary_version_id
        where versions.dictionary_id = ${dictionaryId} and ${isInProcess}) as files_in_process`
