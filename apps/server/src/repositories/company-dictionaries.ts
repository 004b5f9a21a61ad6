import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, DictionaryRow } from '#db/tables.ts'
import { hasRow } from '#repositories/lists.ts'

const ofCompany = (db: Kysely<Database>, companyId: number) =>
  db
    .selectFrom('dictionaries')
    .innerJoin('companyDictionaries', 'companyDictionaries.dictionaryId', 'dictionaries.id')
    .where('companyDictionaries.companyId', '=', companyId)
    .where('dictionaries.deletedAt', 'is', null)

/**
 * A dictionary that the company may upload against. It cannot be changed or deleted until the transaction
 * ends, so that its fields belong to its revision.
 */
export function lockCompanyDictionaryForShare(
  trx: Transaction<Database>,
  companyId: number,
  dictionaryId: number,
): Promise<DictionaryRow | undefined> {
  const dictionary = ofCompany(trx, companyId).where('dictionaries.id', '=', dictionaryId)
  return dictionary.selectAll('dictionaries').forShare('dictionaries').executeTakeFirst()
}

/** Whether the company may upload against a dictionary. */
export function isCompanyDictionary(
  db: Kysely<Database>,
  companyId: number,
  dictionaryId: number,
): Promise<boolean> {
  const dictionary = ofCompany(db, companyId).where('dictionaries.id', '=', dictionaryId)
  return hasRow(dictionary.select('dictionaries.id'))
}

/** The options of a company's drop-down, by name. */
export function findSelectableDictionaries(
  db: Kysely<Database>,
  companyId: number,
): Promise<{ id: number; name: string }[]> {
  return ofCompany(db, companyId)
    .select(['dictionaries.id', 'dictionaries.name'])
    .orderBy(sql`lower(dictionaries.name)`)
    .orderBy('dictionaries.id')
    .execute()
}
