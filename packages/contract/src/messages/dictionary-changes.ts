import type { DictionaryChange, FieldPart } from '#model/dictionary-change.ts'
import { writeCount } from '#notation/count.ts'

const partNames: Record<FieldPart, string> = {
  description: 'description',
  category: 'category',
  format: 'format',
  required: 'whether it can be empty',
  identifiesRow: 'whether it identifies the row',
}

/** One line of a dictionary's history. `fieldCount` is that of the version it made. Ours. */
export function changeSentence(change: DictionaryChange, fieldCount: number): string {
  switch (change.kind) {
    case 'created':
      return `Created${withFields(fieldCount)}`
    case 'copied':
      return `Copied from '${change.from}'${withFields(fieldCount)}`
    case 'imported':
      return `Imported from '${change.fileName}'${withFields(fieldCount)}`
    case 'renamed':
      return `Renamed from '${change.from}'`
    case 'fieldAdded':
      return `Field '${change.field}' added`
    case 'fieldChanged':
      return fieldChanged(change.field, change.from, change.parts.map((part) => partNames[part]).join(', '))
    case 'fieldDeleted':
      return `Field '${change.field}' deleted`
    case 'rulesChanged':
      return `Rules changed: ${change.parts.map((part) => `'${part}'`).join(', ')}`
    case 'reordered':
      return 'Order of the fields changed'
    case 'carriedOver':
      return 'Kept from before changes were recorded'
  }
}

const withFields = (count: number) =>
  count === 0 ? '' : count === 1 ? ' with one field' : ` with ${writeCount(count)} fields`

function fieldChanged(field: string, from: string | null, parts: string): string {
  if (from === null) return `Field '${field}' changed: ${parts}`
  return parts === ''
    ? `Field '${from}' renamed to '${field}'`
    : `Field '${from}' renamed to '${field}', and changed: ${parts}`
}
