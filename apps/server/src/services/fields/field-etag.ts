import type { FieldRow } from '#db/tables.ts'
import { etagOf } from '#services/etags.ts'

/** Of all that the form of a field shows; its position is changed elsewhere. */
export const fieldEtag = (field: FieldRow): string =>
  etagOf([field.name, field.description, field.category, field.required, field.ruleType, field.ruleConfig])
