import type { AuditValues } from '@veridict/contract/model/audit-action'
import type { Field } from '@veridict/contract/model/field'

/** A field for the audit trail, with the settings of its rule by their names. */
export function auditedField({
  name,
  description,
  category,
  required,
  identifiesRow,
  rule,
}: Field): AuditValues {
  return { name, description, category, required, identifiesRow: identifiesRow === true, ...rule }
}

/** A field by its name and that of its dictionary. */
export const fieldSubject = (dictionary: { name: string }, field: { name: string }): string =>
  `${dictionary.name}: ${field.name}`
