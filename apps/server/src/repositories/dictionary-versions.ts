import type { Field } from '@veridict/contract/model/field'
import { ruleFromWire } from '@veridict/contract/model/rule'
import type { Kysely, Transaction } from 'kysely'
import type { Database, DictionaryRow, FieldRow, FrozenField } from '#db/tables.ts'

/**
 * The version of a dictionary at its present revision, frozen now if no submission needed it before. The dictionary must be
 * held (`holdDictionary`), so that `fields` belong to its revision.
 */
export async function freezeDictionary(
  trx: Transaction<Database>,
  dictionary: Pick<DictionaryRow, 'id' | 'revision' | 'name'>,
  fields: readonly FieldRow[],
): Promise<number> {
  const { id: dictionaryId, revision, name } = dictionary
  const inserted = await trx
    .insertInto('dictionaryVersions')
    .values({ dictionaryId, revision, name, fields: JSON.stringify(fields.map(frozen)) })
    .onConflict((conflict) => conflict.columns(['dictionaryId', 'revision']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return inserted.id
  const versions = trx.selectFrom('dictionaryVersions').where('dictionaryId', '=', dictionaryId).where('revision', '=', revision)
  return (await versions.select('id').executeTakeFirstOrThrow()).id
}

/** The fields as they were when the submission was uploaded. */
export async function findVersionFields(db: Kysely<Database>, versionId: number): Promise<Field[]> {
  const version = await db.selectFrom('dictionaryVersions').where('id', '=', versionId).select('fields').executeTakeFirstOrThrow()
  return version.fields.map(thawed)
}

export async function findVersion(db: Kysely<Database>, versionId: number): Promise<{ name: string; revision: number }> {
  return db.selectFrom('dictionaryVersions').where('id', '=', versionId).select(['name', 'revision']).executeTakeFirstOrThrow()
}

const frozen = (field: FieldRow): FrozenField => ({
  itemName: field.name,
  description: field.description,
  category: field.category,
  ruleType: field.ruleType,
  isRequired: field.required,
  ruleConfig: field.ruleConfig,
})

const thawed = (field: FrozenField): Field => ({
  name: field.itemName,
  description: field.description,
  category: field.category,
  required: field.isRequired,
  rule: ruleFromWire(field.ruleType, field.ruleConfig),
})
