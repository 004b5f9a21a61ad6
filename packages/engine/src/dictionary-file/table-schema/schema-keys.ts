import { tableSchemaKeyNames } from '@veridict/contract/messages/table-schema'
import type { Field } from '@veridict/contract/model/field'
import { keyRule, type RowRule } from '@veridict/contract/model/row-rule'
import { labelKey } from '@veridict/contract/notation/label'

/** The keys of a Table Schema, by the words that the standard has for them. Each is a rule. */
export type SchemaKeys = {
  readonly primaryKey: readonly string[] | null
  readonly uniqueKeys: readonly (readonly string[])[]
  /** Fields with the constraint `unique`. */
  readonly unique: readonly string[]
}

/** The columns of a rule that says only that their values are unique in the file; null for other rules. */
export function keyOf({ severity, from, when, then }: RowRule): readonly string[] | null {
  const [test, ...others] = then
  const isPlain = severity === 'error' && from === undefined && when === undefined && others.length === 0
  return isPlain && test?.is === 'unique' ? test.columns : null
}

export const isSameKey = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  one.every((column) => other.some((name) => labelKey(name) === labelKey(column)))

/** The first key whose columns cannot be blank is the primary key, as the standard means it. */
export function writeKeys(rules: readonly RowRule[], fields: readonly Field[]): SchemaKeys {
  const keys = rules.map(keyOf).filter((key) => key !== null)
  const required = new Set(fields.filter((field) => field.required).map(({ name }) => name))
  const primaryKey = keys.find((key) => key.every((column) => required.has(column))) ?? null
  const others = keys.filter((key) => key !== primaryKey)
  return {
    primaryKey,
    uniqueKeys: others.filter((key) => key.length > 1),
    unique: others.filter((key) => key.length === 1).flat(),
  }
}

/** The rules that the standard's words stand for, each key once. */
export function keyRules({ primaryKey, uniqueKeys, unique }: SchemaKeys): RowRule[] {
  const keys = [...uniqueKeys, ...unique.map((column) => [column])]
  const others = keys.filter(
    (key, index) =>
      !(primaryKey !== null && isSameKey(primaryKey, key)) &&
      !keys.slice(0, index).some((earlier) => isSameKey(earlier, key)),
  )
  return [
    ...(primaryKey === null ? [] : [keyRule(tableSchemaKeyNames.primary, primaryKey)]),
    ...others.map((key) => keyRule(tableSchemaKeyNames.unique(key), key)),
  ]
}

/** Whether reading the keys again gives the same rules. */
export function isSaidByKeys(rules: readonly RowRule[], keys: SchemaKeys): boolean {
  const said = keyRules(keys)
  return (
    said.length === rules.length &&
    rules.every((rule, index) => {
      const columns = rule.description === undefined ? keyOf(rule) : null
      return rule.name === said[index].name && columns?.join('\0') === keyOf(said[index])!.join('\0')
    })
  )
}
