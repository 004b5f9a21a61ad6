import { fileGuards } from '@veridict/contract/limits'
import { templateTexts } from '@veridict/contract/messages/template-file'

/** Why no template can be made of these fields, a sentence; null if it can. */
export function checkTemplate(fields: readonly unknown[]): string | null {
  if (fields.length === 0) return templateTexts.noFields
  return fields.length > fileGuards.maxColumns ? templateTexts.tooManyFields(fileGuards.maxColumns) : null
}
