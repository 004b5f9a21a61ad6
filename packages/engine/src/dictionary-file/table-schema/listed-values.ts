import { isObject } from '@veridict/contract/notation/is-object'
import { tableSchemaImportNotes as notes } from '@veridict/contract/messages/table-schema'
import type { SchemaField } from '#dictionary-file/table-schema/schema-object.ts'
import { plainDecimal } from '#plain-decimal.ts'

/** The standard's true and false values where a field names none. */
const TRUE_VALUES = ['true', 'True', 'TRUE', '1']
const FALSE_VALUES = ['false', 'False', 'FALSE', '0']

/** By `enum`, by `categories` (version 2), or by being a boolean, as written in a file. null if none. */
export function listedValues(type: string, field: SchemaField): string[] | null {
  const categories = field.take('categories')
  const listed = [field.constraints.take('enum'), categories].find(
    (values) => Array.isArray(values) && values.length > 0,
  )
  if (type !== 'boolean' && listed === undefined) return null
  if (Array.isArray(categories) && categories.some((category) => isObject(category) && 'label' in category))
    field.note(notes.categoryLabels)
  if (type === 'boolean') return booleans(listed ?? [true, false], field)
  if (type !== 'string' && type !== 'any') field.note(notes.exactList(type))
  return texts(listed as unknown[], field)
}

function booleans(listed: unknown, field: SchemaField): string[] {
  const trueValues = field.take('trueValues') ?? TRUE_VALUES
  const falseValues = field.take('falseValues') ?? FALSE_VALUES
  const values = texts(
    (listed as unknown[]).flatMap(
      (value) => (value === true ? trueValues : value === false ? falseValues : value) as unknown,
    ),
    field,
  )
  field.note(notes.booleanAsList(values))
  return values
}

function texts(values: readonly unknown[], field: SchemaField): string[] {
  return values.flatMap((listed) => {
    const value = isObject(listed) ? listed.value : listed
    if (typeof value === 'string') return [value]
    if (typeof value === 'number') return [plainDecimal(value)]
    if (typeof value === 'boolean') return [String(value)]
    field.wrong('enum', listed, 'a text or a number')
    return []
  })
}
