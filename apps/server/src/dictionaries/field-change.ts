import { isDeepStrictEqual } from 'node:util'
import type { DictionaryChange, FieldPart } from '@veridict/contract/model/dictionary-change'
import type { Field } from '@veridict/contract/model/field'

const parts: Record<FieldPart, (field: Field) => unknown> = {
  description: ({ description }) => description,
  category: ({ category }) => category,
  format: ({ rule }) => rule,
  required: ({ required }) => required,
  identifiesRow: ({ identifiesRow = false }) => identifiesRow,
}

/** The difference between two states of a field; null if there is none. */
export function fieldChange(before: Field, after: Field): DictionaryChange | null {
  const changed = (Object.keys(parts) as FieldPart[]).filter(
    (part) => !isDeepStrictEqual(parts[part](before), parts[part](after)),
  )
  const from = before.name === after.name ? null : before.name
  return from === null && changed.length === 0
    ? null
    : { kind: 'fieldChanged', field: after.name, from, parts: changed }
}

/** A field by its name and that of its dictionary. */
export const fieldSubject = (dictionary: { name: string }, field: { name: string }): string =>
  `${dictionary.name}: ${field.name}`
