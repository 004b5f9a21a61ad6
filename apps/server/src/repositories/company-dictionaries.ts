import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, DictionaryRow } from '#db/tables.ts'

const ofCompany = (db: Kysely<Database>, companyId: number) =>
  db
    .selectFrom('dictionaries')
    .innerJoin('companyDictionaries', 'companyDictionaries.dictionaryId', 'dictionaries.id')
    .where('companyDictionaries.companyId', '=', companyId)
    .where('dictionaries.deletedAt', 'is', null)

/**
 * A dictionary that the company may upload against. Nobody can change or delete it until the transaction
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
export async function isCompanyDictionary(
  db: Kysely<Database>,
  companyId: number,
  dictionaryId: number,
): Promise<boolean> {
  const dictionary = ofCompany(db, companyId).where('dictionaries.id', '=', dictionaryId)
  return (await dictionary.select('dictionaries.id').executeTakeFirst()) !== undefined
}

/** What a company's drop-down offers, by name as the lists of names are. */
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
