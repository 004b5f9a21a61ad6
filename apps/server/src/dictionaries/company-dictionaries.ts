import { type ExpressionBuilder, type QueryCreator, sql } from 'kysely'
import { runDeferred } from '#platform/database/prepared-statements.ts'
import type { Database, Db, Trx } from '#platform/database/tables.ts'
import { countColumn, hasRow } from '#platform/database/lists.ts'
import { rowsOf } from '#platform/database/rows.ts'

/** Dictionaries that the company may upload against. */
export const ofCompany = (db: QueryCreator<Database>, companyId: number) =>
  db
    .selectFrom('dictionaries')
    .innerJoin('companyDictionaries', 'companyDictionaries.dictionaryId', 'dictionaries.id')
    .where('companyDictionaries.companyId', '=', companyId)
    .where('dictionaries.deletedAt', 'is', null)

/** It cannot be changed or deleted until the transaction ends, so that its fields belong to its revision. */
export function lockCompanyDictionaryForShare(trx: Trx, companyId: number, dictionaryId: number) {
  const dictionary = ofCompany(trx, companyId).where('dictionaries.id', '=', dictionaryId)
  return runDeferred(trx, dictionary.select('dictionaries.id').forShare('dictionaries'))
}

export function isCompanyDictionary(db: Db, companyId: number, dictionaryId: number): Promise<boolean> {
  const dictionary = ofCompany(db, companyId).where('dictionaries.id', '=', dictionaryId)
  return hasRow(dictionary.select('dictionaries.id'))
}

const namesOf = (db: Db, companyId: number) =>
  ofCompany(db, companyId)
    .select(['dictionaries.id', 'dictionaries.name'])
    .orderBy(sql`lower(dictionaries.name)`)
    .orderBy('dictionaries.id')

type Named = { id: number; name: string }

/** The options of a company's drop-down, by name. */
export const findSelectableDictionaries = (db: Db, companyId: number): Promise<Named[]> =>
  namesOf(db, companyId).execute()

/** The same with the number of their fields. */
export function findCompanyDictionaries(db: Db, companyId: number) {
  const fieldsOf = (row: ExpressionBuilder<Database, 'dictionaries'>) =>
    row.selectFrom('fields').whereRef('fields.dictionaryId', '=', 'dictionaries.id')
  return namesOf(db, companyId)
    .select((row) => countColumn(fieldsOf(row)).as('fieldCount'))
    .execute()
}

/** The companies that may upload against a dictionary, by name. */
export const findCompaniesOf = (db: Db, dictionaryId: number): Promise<Named[]> =>
  db
    .selectFrom('companyDictionaries')
    .innerJoin('companies', 'companies.id', 'companyDictionaries.companyId')
    .where('dictionaryId', '=', dictionaryId)
    .where('companies.deletedAt', 'is', null)
    .select(['companies.id', 'companies.name'])
    .orderBy(sql`lower(companies.name)`)
    .execute()

/** Compares the names of columns. `isOwn`: the file is meant for this dictionary. */
export type DictionaryMatch = {
  id: number
  name: string
  isOwn: boolean
  fieldCount: number
  /** How many of the dictionary's fields are among the columns. */
  matching: number
  /** Whether the columns are exactly its fields, in their order. */
  isSame: boolean
}

/** Compares column names, as `labelKey` gives them, with the dictionaries of a company, by name. */
export const compareWithDictionaries = (
  db: Db,
  companyId: number,
  { labelKeys, ownId }: { labelKeys: readonly string[]; ownId: number | undefined },
): Promise<DictionaryMatch[]> =>
  rowsOf<DictionaryMatch>(db)`
    select
      dictionaries.id,
      dictionaries.name,
      dictionaries.id = ${ownId ?? 0} as is_own,
      count(*)::int as field_count,
      count(labels.key)::int as matching,
      array_agg(fields.name_key order by fields.position) = ${labelKeys}::text[] as is_same
    from company_dictionaries
    join dictionaries on dictionaries.id = company_dictionaries.dictionary_id
    join fields on fields.dictionary_id = dictionaries.id
    left join (select distinct unnest(${labelKeys}::text[]) as key) as labels on labels.key = fields.name_key
    where company_dictionaries.company_id = ${companyId} and dictionaries.deleted_at is null
    group by dictionaries.id
    order by lower(dictionaries.name), dictionaries.id`

/** Of these dictionaries, those that the company may upload against now, with their present names. */
export const findUsableDictionaries = (db: Db, companyId: number, ids: readonly number[]): Promise<Named[]> =>
  namesOf(db, companyId).where('dictionaries.id', 'in', ids).execute()
