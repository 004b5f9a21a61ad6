import { fileGuards } from '@veridict/contract/limits'
import { templateTexts } from '@veridict/contract/messages/template-file'

/** Why there can be no template of so many fields, in words; null where there can. */
export function checkTemplate(fields: readonly unknown[]): string | null {
  if (fields.length === 0) return templateTexts.noFields
  return fields.length > fileGuards.maxColumns ? templateTexts.tooManyFields(fileGuards.maxColumns) : null
}
