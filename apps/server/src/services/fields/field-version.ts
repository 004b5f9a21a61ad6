import type { FieldRow } from '#db/tables.ts'
import { contentVersion } from '#services/content-version.ts'

/** Of all that the form of a field shows; its position is changed elsewhere. */
export const fieldVersion = (field: FieldRow): string =>
  contentVersion([
    field.name,
    field.description,
    field.category,
    field.required,
    field.ruleType,
    field.ruleConfig,
  ])
