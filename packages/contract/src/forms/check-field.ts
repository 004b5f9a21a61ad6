import { fieldForm, ruleConfigSchema } from '#forms/field.ts'
import { fieldMessages } from '#messages/fields.ts'
import type { Field } from '#model/field.ts'
import { type RuleConfig, ruleFromWire } from '#model/rule.ts'

/**
 * What is wrong with one value of a field, under the value's name on the wire (`itemName`, `minLength` …).
 */
export type FieldProblem = { key: string; message: string }
export type CheckedField = { ok: true; field: Field } | { ok: false; problems: FieldProblem[] }

/**
 * Judges a field as the wire writes it (`itemName`, `ruleType`, `ruleConfig` as an object …) and answers it
 * as the engine reads it. Whether the engine can run a regular expression is not asked here.
 */
export function checkField(wire: Record<string, unknown>): CheckedField {
  const form = fieldForm.safeParse(wire)
  const problems: FieldProblem[] = []
  if (!form.success) problems.push(...form.error.issues.map(problemOf))
  const ruleType = fieldForm.shape.ruleType.safeParse(wire.ruleType)
  if (!ruleType.success) return { ok: false, problems }
  const config = ruleConfigSchema(ruleType.data).safeParse(wire.ruleConfig ?? {}, {
    error: () => fieldMessages.configInvalid,
  })
  if (!config.success) problems.push(...config.error.issues.map(problemOf))
  if (!form.success || !config.success) return { ok: false, problems }
  const { itemName: name, description, category, isRequired: required } = form.data
  return {
    ok: true,
    field: {
      name,
      description,
      category,
      required,
      rule: ruleFromWire(ruleType.data, config.data as RuleConfig),
    },
  }
}

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): FieldProblem {
  return { key: String(path[0] ?? 'ruleConfig'), message }
}
