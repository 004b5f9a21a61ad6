import type { Paging } from '@veridict/contract/api/endpoint'
import { fieldFromWire, fieldToBody, ruleNumbers } from '@veridict/contract/api/wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { labelKey } from '@veridict/contract/notation/label'
import { sql } from 'kysely'
import type { Db, FieldRow } from '#platform/database/tables.ts'
import type { DictionaryDraft } from '#dictionaries/dictionary-drafts.ts'
import { found } from '#errors.ts'
import { containing, countRows, type ListPage, pageOf, withCount } from '#platform/database/lists.ts'
import { refuseDuplicates } from '#platform/database/transaction.ts'

/** PostgreSQL takes 65,535 parameters in a statement; a field has 10. */
const FIELDS_PER_INSERT = 1000

const duplicates = { fields_dictionary_id_name_key_key: fieldMessages.duplicateName }

export type StoredField = Field & { id: number; dictionaryId: number; position: number }

/** Apart from two names, a row has the wire's. */
function columnsOf(field: Field) {
  const { itemName: name, isRequired: required, ...wire } = fieldToBody(field)
  return { ...wire, name, nameKey: labelKey(name), required }
}

const fieldOf = ({ name: itemName, required: isRequired, ...row }: FieldRow): Field =>
  fieldFromWire({ ...row, itemName, isRequired })

const storedField = (row: FieldRow): StoredField => ({
  id: row.id,
  dictionaryId: row.dictionaryId,
  position: row.position,
  ...fieldOf(row),
})

const fieldsOf = (db: Db, dictionaryId: number) =>
  db.selectFrom('fields').where('dictionaryId', '=', dictionaryId)

export const countFields = (db: Db, dictionaryId: number): Promise<number> =>
  countRows(fieldsOf(db, dictionaryId))

/** A page of a dictionary's fields in their order; the search looks at name and description. */
export async function findFields(
  db: Db,
  dictionaryId: number,
  paging: Paging,
): Promise<ListPage<StoredField>> {
  const matching = fieldsOf(db, dictionaryId).$call(containing(paging.SearchText, ['name', 'description']))
  const page = pageOf(matching.selectAll().orderBy('position'), paging)
  const { rows, count } = await withCount(page.execute(), matching)
  return { rows: rows.map(storedField), count }
}

export async function findAllFields(db: Db, dictionaryId: number): Promise<Field[]> {
  return (await fieldsOf(db, dictionaryId).selectAll().orderBy('position').execute()).map(fieldOf)
}

export function findPatterns(db: Db, dictionaryId: number): Promise<{ id: number; pattern: string }[]> {
  const fields = fieldsOf(db, dictionaryId).where('ruleType', '=', ruleNumbers.pattern)
  return fields.select(['id', sql<string>`rule_config ->> 'regularExpression'`.as('pattern')]).execute()
}

/** A field of a dictionary that is not deleted. Throws 404 without one. */
export async function readField(db: Db, id: number): Promise<StoredField> {
  const row = db
    .selectFrom('fields')
    .innerJoin('dictionaries', 'dictionaries.id', 'fields.dictionaryId')
    .where('fields.id', '=', id)
    .where('dictionaries.deletedAt', 'is', null)
    .selectAll('fields')
  return storedField(await found(row.executeTakeFirst(), 'Field'))
}

/** Appends a field. Throws 409 when the dictionary has one of that name. */
export async function appendField({ trx, id: dictionaryId }: DictionaryDraft, field: Field): Promise<number> {
  const position = sql<number>`(
    select coalesce(max(position), 0) + 1 from fields where dictionary_id = ${dictionaryId}
  )`
  const insert = trx
    .insertInto('fields')
    .values({ dictionaryId, position, ...columnsOf(field) })
    .returning('id')
  return (await refuseDuplicates(duplicates, () => insert.executeTakeFirstOrThrow())).id
}

/** Fills a new dictionary with fields in the order given. */
export async function insertFields(
  { trx, id: dictionaryId }: DictionaryDraft,
  fields: readonly Field[],
): Promise<void> {
  const rows = fields.map((field, index) => ({ dictionaryId, position: index + 1, ...columnsOf(field) }))
  for (let start = 0; start < rows.length; start += FIELDS_PER_INSERT) {
    const insert = trx.insertInto('fields').values(rows.slice(start, start + FIELDS_PER_INSERT))
    await refuseDuplicates(duplicates, () => insert.execute())
  }
}

const copiedColumns = [
  'position',
  'name',
  'nameKey',
  'description',
  'category',
  'required',
  'identifiesRow',
  'ruleType',
  'ruleConfig',
  'frozenId',
] as const

/** Fills a new dictionary with the fields of another one; both share the frozen fields. */
export async function copyFields(
  { trx, id: toDictionaryId }: DictionaryDraft,
  fromDictionaryId: number,
): Promise<void> {
  await trx
    .insertInto('fields')
    .columns(['dictionaryId', ...copiedColumns])
    .expression((query) =>
      query
        .selectFrom('fields')
        .where('dictionaryId', '=', fromDictionaryId)
        .select(sql<number>`${toDictionaryId}::integer`.as('toDictionaryId'))
        .select(copiedColumns),
    )
    .execute()
}

/** Throws 409 when the dictionary has another field of that name. */
export async function changeField({ trx, id: dictionaryId }: DictionaryDraft, id: number, field: Field) {
  const update = trx
    .updateTable('fields')
    .set({ ...columnsOf(field), frozenId: null, updatedAt: sql<Date>`now()` })
    .where('dictionaryId', '=', dictionaryId)
    .where('id', '=', id)
    .returningAll()
  return storedField(await refuseDuplicates(duplicates, () => update.executeTakeFirstOrThrow()))
}

/** Deletes a field and closes the gap in the positions. Throws 404 when the dictionary has no such field. */
export async function deleteFieldRow({ trx, id: dictionaryId }: DictionaryDraft, id: number): Promise<void> {
  const field = trx.deleteFrom('fields').where('dictionaryId', '=', dictionaryId).where('id', '=', id)
  const deleted = await found(field.returning('position').executeTakeFirst(), 'Field')
  await trx
    .updateTable('fields')
    .set({ position: sql<number>`position - 1` })
    .where('dictionaryId', '=', dictionaryId)
    .where('position', '>', deleted.position)
    .execute()
}

export const findFieldOrder = (db: Db, dictionaryId: number): Promise<{ id: number; name: string }[]> =>
  fieldsOf(db, dictionaryId).select(['id', 'name']).orderBy('position').execute()

/** Which of the ids are fields of any other dictionary. */
export async function findForeignFieldIds(db: Db, dictionaryId: number, ids: readonly number[]) {
  const foreign = db.selectFrom('fields').where('dictionaryId', '!=', dictionaryId)
  const rows = await foreign
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Puts the fields into the order of `ids`, which are all of them. false when that is their order already. */
export async function placeFields(
  { trx, id: dictionaryId }: DictionaryDraft,
  ids: readonly number[],
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update fields set position = placed.position
    from unnest(${[...ids]}::integer[]) with ordinality as placed (id, position)
    where fields.id = placed.id
      and fields.dictionary_id = ${dictionaryId}
      and fields.position <> placed.position
  `.execute(trx)
  return numAffectedRows > 0n
}
