import type { Paging } from '@veridict/contract/api/paging'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { sql, type Kysely, type QueryCreator, type Transaction } from 'kysely'
import type { Database, DictionaryRow } from '#db/tables.ts'
import { containsPattern } from '#repositories/search-pattern.ts'
import { refusingDuplicates } from '#repositories/unique-violation.ts'

/** A dictionary of the list with the number of its fields. */
export type DictionarySummary = Pick<DictionaryRow, 'id' | 'name' | 'updatedAt'> & { fieldCount: number }

const duplicates = { dictionaries_name_key: dictionaryMessages.duplicateName }

const livingDictionaries = (db: QueryCreator<Database>) => db.selectFrom('dictionaries').where('deletedAt', 'is', null)

/** Without a search there is no condition, so that the first page comes from the index on names. */
const matchingDictionaries = (db: QueryCreator<Database>, searchText: string) =>
  livingDictionaries(db).$if(searchText !== '', (query) => query.where('name', 'ilike', containsPattern(searchText)))

export async function countDictionaries(db: Kysely<Database>, searchText = ''): Promise<number> {
  const { count } = await matchingDictionaries(db, searchText)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A page of the dictionaries by name. Fields are counted for the rows of the page only, so that 10,000 dictionaries stay quick. */
export function findDictionaries(db: Kysely<Database>, { SearchText, PageNumber, PageSize }: Paging): Promise<DictionarySummary[]> {
  return db
    .with('page', (query) =>
      matchingDictionaries(query, SearchText)
        .select(['id', 'name', 'updatedAt'])
        .orderBy(sql`lower(name)`)
        .orderBy('id')
        .limit(PageSize)
        .offset((PageNumber - 1) * PageSize),
    )
    .selectFrom('page')
    .selectAll('page')
    .select((row) =>
      row
        .selectFrom('fields')
        .whereRef('fields.dictionaryId', '=', 'page.id')
        .select((field) => field.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('fieldCount'),
    )
    .orderBy(sql`lower(page.name)`)
    .orderBy('page.id')
    .execute()
}

/** A dictionary that is not deleted. */
export function findDictionary(db: Kysely<Database>, id: number): Promise<DictionaryRow | undefined> {
  return livingDictionaries(db).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Like `findDictionary`; others who want to change the dictionary or its fields wait until the transaction ends. */
export function lockDictionary(trx: Transaction<Database>, id: number): Promise<DictionaryRow | undefined> {
  return livingDictionaries(trx).where('id', '=', id).selectAll().forNoKeyUpdate().executeTakeFirst()
}

/** Like `findDictionary`; nobody can change or delete it until the transaction ends, but others may read it in the same way. */
export function holdDictionary(trx: Transaction<Database>, id: number): Promise<DictionaryRow | undefined> {
  return livingDictionaries(trx).where('id', '=', id).selectAll().forShare().executeTakeFirst()
}

/** Throws 409 when the name is taken. */
export async function insertDictionary(db: Kysely<Database>, name: string, userId: number): Promise<number> {
  const insert = db.insertInto('dictionaries').values({ name, updatedBy: userId }).returning('id')
  return (await refusingDuplicates(duplicates, () => insert.executeTakeFirstOrThrow())).id
}

const changeBy = (userId: number) => ({
  revision: sql<number>`revision + 1`,
  updatedAt: sql<Date>`now()`,
  updatedBy: userId,
})

/** Throws 409 when the name is taken. */
export async function renameDictionaryRow(trx: Transaction<Database>, id: number, name: string, userId: number): Promise<void> {
  const update = trx
    .updateTable('dictionaries')
    .set({ name, ...changeBy(userId) })
    .where('id', '=', id)
  await refusingDuplicates(duplicates, () => update.execute())
}

/**
 * Begins a change of a dictionary's fields: a new revision, and a lock on the dictionary until the transaction ends, so that
 * changes come one after the other and a submission freezes either all of one or nothing. false when there is no such dictionary.
 */
export async function beginRevision(trx: Transaction<Database>, id: number, userId: number): Promise<boolean> {
  const update = trx.updateTable('dictionaries').set(changeBy(userId)).where('id', '=', id).where('deletedAt', 'is', null)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

/** Deletes softly: the versions that submissions point at stay, the name is free again, companies lose it. */
export async function markDictionaryDeleted(trx: Transaction<Database>, id: number, userId: number): Promise<void> {
  const deleted = { ...changeBy(userId), deletedAt: sql<Date>`now()` }
  await trx.updateTable('dictionaries').set(deleted).where('id', '=', id).execute()
  await trx.deleteFrom('companyDictionaries').where('dictionaryId', '=', id).execute()
}
