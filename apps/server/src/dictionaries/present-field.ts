import type { FieldItem } from '@veridict/contract/api/fields'
import { fieldToWire } from '@veridict/contract/api/wire-field'
import type { Field } from '@veridict/contract/model/field'

/** Fields in their order. */
export const presentFields = (fields: readonly Field[]): Omit<FieldItem, 'id'>[] =>
  fields.map((field, index) => ({ ...presentField(field), position: index + 1 }))

/** The settings of a rule are in alphabetical order. */
export function presentField(field: Field): Omit<FieldItem, 'id' | 'position'> {
  const { itemName: columnName, ruleConfig, ...content } = fieldToWire(field)
  const ruleConfigJson = JSON.stringify(ruleConfig, Object.keys(ruleConfig).toSorted())
  return { columnName, ...content, ruleConfigJson }
}
