import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import type { NamedProposal } from '#services/dictionaries/propose-from-schema.ts'

/** Proposed fields go out as new ones come in, so that they can be sent back as they are. */
export function presentProposal({ name, recordsCount, fields, notes }: NamedProposal): DictionaryProposal {
  return {
    name,
    recordsCount,
    fields: fields.map((field) => ({ ...fieldToBody(field), reason: field.reason })),
    notes,
  }
}
