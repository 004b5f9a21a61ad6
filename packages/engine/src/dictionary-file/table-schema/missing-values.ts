import { isObject } from '@veridict/contract/notation/is-object'

/**
 * The texts that stand for an empty value; in version 2 they may be objects with a label. By default an
 * empty cell.
 */
export function readMissingValues(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return ['']
  return values
    .map((value: unknown) => (isObject(value) ? value.value : value))
    .filter((value) => typeof value === 'string')
}
