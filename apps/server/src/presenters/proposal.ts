import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { ruleToWire } from '@veridict/contract/model/rule'
import type { NamedProposal } from '#services/dictionaries/propose-from-schema.ts'

/** Proposed fields go out as new ones come in, so that they can be sent back as they are. */
export function presentProposal({ name, recordsCount, fields, notes }: NamedProposal): DictionaryProposal {
  return {
    name,
    recordsCount,
    fields: fields.map(({ name: itemName, description, category, required: isRequired, rule, reason }) => {
      const { ruleType, config } = ruleToWire(rule)
      return {
        itemName,
        description,
        category,
        ruleType,
        isRequired,
        ruleConfig: JSON.stringify(config),
        reason,
      }
    }),
    notes,
  }
}
