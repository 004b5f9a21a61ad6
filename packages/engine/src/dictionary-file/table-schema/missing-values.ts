import { isObject } from '#dictionary-file/table-schema/schema-object.ts'

/**
 * What stands for an empty value: texts, or objects with a label for people (version 2). An empty cell,
 * unless it says otherwise.
 */
export function readMissingValues(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return ['']
  return values
    .map((value: unknown) => (isObject(value) ? value.value : value))
    .filter((value) => typeof value === 'string')
}
