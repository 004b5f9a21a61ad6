import type { FieldDetail, FieldItem } from '@veridict/contract/api/fields'
import { fieldToWire } from '@veridict/contract/api/wire-field'
import type { Field } from '@veridict/contract/model/field'
import type { StoredField } from '#dictionaries/fields.ts'
import { fieldEtag } from '#platform/etags.ts'

/** The settings of a rule are in alphabetical order. */
function presentFieldContent(field: Field): Omit<FieldItem, 'id' | 'position'> {
  const { itemName: columnName, ruleConfig, ...content } = fieldToWire(field)
  const ruleConfigJson = JSON.stringify(ruleConfig, Object.keys(ruleConfig).toSorted())
  return { columnName, ...content, ruleConfigJson }
}

/** The fields of a dictionary's version, in order. */
export const presentFields = (fields: readonly Field[]): Omit<FieldItem, 'id'>[] =>
  fields.map((field, index) => ({ ...presentFieldContent(field), position: index + 1 }))

export const presentField = (field: StoredField): FieldDetail => ({
  id: field.id,
  ...presentFieldContent(field),
  version: fieldEtag(field),
})

export const presentFieldItem = (field: StoredField): FieldItem => ({
  id: field.id,
  ...presentFieldContent(field),
  position: field.position,
})
