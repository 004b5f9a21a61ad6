import type { FieldDetail, FieldItem } from '@veridict/contract/api/fields'
import type { FieldRow } from '#db/tables.ts'
import { fieldEtag } from '#services/etags.ts'

const contentOf = (field: FieldRow) => ({
  id: field.id,
  columnName: field.name,
  description: field.description,
  category: field.category,
  ruleType: field.ruleType,
  isRequired: field.required,
  ruleConfigJson: JSON.stringify(field.ruleConfig),
})

export const presentField = (field: FieldRow): FieldDetail => ({
  ...contentOf(field),
  version: fieldEtag(field),
})

export const presentFieldItem = (field: FieldRow): FieldItem => ({
  ...contentOf(field),
  position: field.position,
})
