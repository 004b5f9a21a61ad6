import type { DictionaryProposal } from '@veridict/contract/api/dictionaries'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey } from '@veridict/contract/notation/label'
import type { FieldBody } from '#features/fields/api.ts'
import { bodyOf, faultsOf, type FieldValues, valuesOf } from '#features/fields/field-values.ts'

/** A field that was proposed and is still to be saved, as the administrator has corrected it so far. */
export type FieldDraft = {
  /** Letter of its column in the sample. */
  letter: string
  values: FieldValues
  /** Why it was proposed so. */
  reason: string
  isIncluded: boolean
}
export type DraftFaults = ReturnType<typeof faultsOf>

export const draftsOf = ({ fields }: DictionaryProposal): FieldDraft[] =>
  fields.map(({ itemName: columnName, ruleConfig: ruleConfigJson, reason, ...field }, index) => ({
    letter: columnLetter(index),
    values: valuesOf({ id: index, columnName, ruleConfigJson, ...field }),
    reason,
    isIncluded: true,
  }))

/**
 * What is wrong with the fields that are to be made, by letter; a name that comes again is told where it
 * comes again.
 */
export function faultsOfDrafts(drafts: readonly FieldDraft[]): Map<string, DraftFaults> {
  const faults = new Map<string, DraftFaults>()
  const taken = new Set<string>()
  for (const { letter, values, isIncluded } of drafts) {
    if (!isIncluded) continue
    const found = faultsOf(values)
    const key = labelKey(values.itemName)
    if (taken.has(key)) found.itemName ??= fieldMessages.duplicateName
    taken.add(key)
    if (Object.keys(found).length > 0) faults.set(letter, found)
  }
  return faults
}

/** The fields as they are sent. Never call it while there are faults. */
export const bodiesOf = (drafts: readonly FieldDraft[]): FieldBody[] =>
  drafts.filter(({ isIncluded }) => isIncluded).map(({ values }) => bodyOf(values))
