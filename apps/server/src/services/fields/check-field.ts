import { checkField as checkForm, type FieldProblem } from '@veridict/contract/forms/check-field'
import type { FieldForm } from '@veridict/contract/forms/field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { AppError, invalid } from '#errors.ts'
import { checkPatterns } from '#services/fields/check-patterns.ts'

/** A field as the wire brings it: `ruleConfig` is JSON text. */
export type FieldRequest = FieldForm & { ruleConfig: string }

/**
 * Judges a field by the contract's form, and a regular expression by the engine that will run it. Throws 400
 * with each message under the name of the value that is wrong (`itemName`, `minLength`, `optionSetValues` …;
 * `ruleConfig` for the whole of it), 503 when the engine does not answer.
 */
export async function checkField(
  request: FieldRequest,
  deps: Pick<Deps, 'validator' | 'log'>,
): Promise<Field> {
  const checked = checkForm({ ...request, ruleConfig: parseConfig(request.ruleConfig) })
  if (!checked.ok) throw refusal(checked.problems)
  const { rule } = checked.field
  const reason = rule.type === 'pattern' ? (await checkPatterns([rule.pattern], deps))(rule.pattern) : null
  if (reason !== null) throw invalid('regularExpression', fieldMessages.patternInvalid(reason))
  return checked.field
}

/** Only an object can be a configuration; null would pass for an absent one. */
function parseConfig(text: string): object {
  try {
    const config: unknown = JSON.parse(text)
    if (typeof config === 'object' && config !== null) return config
  } catch {
    // Not JSON: refused like JSON that is no object.
  }
  throw invalid('ruleConfig', fieldMessages.configInvalid)
}

function refusal(problems: readonly FieldProblem[]): AppError {
  const fieldErrors: Record<string, string[]> = {}
  for (const { key, message } of problems) (fieldErrors[key] ??= []).push(message)
  return new AppError(400, problems[0].message, { fieldErrors })
}
