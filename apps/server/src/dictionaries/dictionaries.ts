import type { Paging } from '@veridict/contract/api/endpoint'
import { sql, type QueryCreator } from 'kysely'
import type { Database, Db, DictionaryRow, Trx } from '#platform/database/tables.ts'
import { containsPattern, countColumn, countRows, pageByName } from '#platform/database/lists.ts'

export type DictionarySummary = Pick<DictionaryRow, 'id' | 'name' | 'updatedAt'> & { fieldCount: number }

const livingDictionaries = (db: QueryCreator<Database>) =>
  db.selectFrom('dictionaries').where('deletedAt', 'is', null)

/** Without a search there is no condition, so that the first page comes from the index on names. */
const matchingDictionaries = (db: QueryCreator<Database>, searchText: string) =>
  livingDictionaries(db).$if(searchText !== '', (query) =>
    query.where('name', 'ilike', containsPattern(searchText)),
  )

export const countDictionaries = (db: Db, searchText = ''): Promise<number> =>
  countRows(matchingDictionaries(db, searchText))

/**
 * A page of the dictionaries by name. Fields are counted for the rows of the page only, so that 10,000
 * dictionaries stay quick.
 */
export function findDictionaries(db: Db, paging: Paging): Promise<DictionarySummary[]> {
  return db
    .with('page', (query) =>
      pageByName(matchingDictionaries(query, paging.SearchText).select(['id', 'name', 'updatedAt']), paging),
    )
    .selectFrom('page')
    .selectAll('page')
    .select((row) =>
      countColumn(row.selectFrom('fields').whereRef('fields.dictionaryId', '=', 'page.id')).as('fieldCount'),
    )
    .orderBy(sql`lower(page.name)`)
    .orderBy('page.id')
    .execute()
}

/** `editorName` is the user who changed it last, deleted or not; null if the portal itself did. */
export type DictionaryDetail = DictionaryRow & { editorName: string | null }

/** A dictionary that is not deleted. */
export function findDictionary(db: Db, id: number): Promise<DictionaryDetail | undefined> {
  return livingDictionaries(db)
    .where('id', '=', id)
    .selectAll()
    .select((row) =>
      row
        .selectFrom('users')
        .whereRef('users.id', '=', 'dictionaries.updatedBy')
        .select('users.name')
        .as('editorName'),
    )
    .executeTakeFirst()
}

/**
 * A dictionary that is not deleted; others who want to change it or its fields wait until the transaction
 * ends.
 */
export function lockDictionary(trx: Trx, id: number): Promise<DictionaryRow | undefined> {
  return livingDictionaries(trx).where('id', '=', id).selectAll().forNoKeyUpdate().executeTakeFirst()
}

/**
 * A dictionary that is not deleted. Until the transaction ends it cannot be changed or deleted; others may
 * take the same lock.
 */
export function lockDictionaryForShare(trx: Trx, id: number): Promise<DictionaryRow | undefined> {
  return livingDictionaries(trx).where('id', '=', id).selectAll().forShare().executeTakeFirst()
}

/** Deletes softly: the versions that submissions point at stay, the name is free again, companies lose it. */
export async function markDictionaryDeleted(trx: Trx, id: number, userId: number | null): Promise<void> {
  const deleted = { deletedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()`, updatedBy: userId }
  await trx.updateTable('dictionaries').set(deleted).where('id', '=', id).execute()
  await trx.deleteFrom('companyDictionaries').where('dictionaryId', '=', id).execute()
}
