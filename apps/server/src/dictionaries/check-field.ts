import { checkWireField, checkWireFields, wireProblemText } from '@veridict/contract/api/check-wire-field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { AppError, invalid } from '#errors.ts'
import { allProblems, checkPatterns } from '#dictionaries/check-patterns.ts'

/** A field as a request contains it: `ruleConfig` is JSON text. */
export type FieldRequest = Readonly<Record<string, unknown>> & { ruleConfig: string }

/**
 * Checks a field; the engine that will run a regular expression checks that as well. Throws 400 with each
 * message under the wire name of the value that is wrong, 503 when the engine does not respond. `isStored`:
 * whether the field already has this regular expression; a stored one may be larger than new ones.
 */
export async function checkField(
  request: FieldRequest,
  deps: Pick<Deps, 'validator' | 'log'>,
  isStored: (pattern: string) => Promise<boolean> = async () => false,
): Promise<Field> {
  const checked = checkWireField(request)
  if (!checked.ok) throw refusal(checked.problems)
  const { rule } = checked.field
  if (rule.type !== 'pattern') return checked.field
  const reason = (await checkPatterns([rule.pattern], deps))(rule.pattern)
  if (reason !== null && !(await isStored(rule.pattern)))
    throw invalid('regularExpression', fieldMessages.patternInvalid(reason))
  return checked.field
}

/** Checks the fields of a whole dictionary. Throws 400 with every problem, each naming its field. */
export async function checkedFields(
  items: readonly Readonly<Record<string, unknown>>[],
  deps: Pick<Deps, 'validator' | 'log'>,
): Promise<Field[]> {
  const { fields, problems } = await checkWireFields(items, (patterns) => checkPatterns(patterns, deps))
  if (problems.length > 0) throw allProblems(problems.map(wireProblemText))
  return fields
}

/** A 400 with each message under its key: the wire name of a value, or the place in a rule book. */
export function refusal(problems: readonly { key: string; message: string }[]): AppError {
  const fieldErrors: Record<string, string[]> = {}
  for (const { key, message } of problems) (fieldErrors[key] ??= []).push(message)
  return new AppError(400, problems[0].message, { fieldErrors })
}
