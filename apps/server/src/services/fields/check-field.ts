import { type FieldForm, ruleConfigSchema } from '@veridict/contract/forms/field'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { RuleType, type RuleConfig } from '@veridict/contract/model/rule'
import { checkPattern } from '../../../../../packages/engine/src/rules/pattern.ts'
import { AppError, invalid } from '#errors.ts'
import type { FieldContent } from '#repositories/fields.ts'

/** A field as the wire brings it: `ruleConfig` is JSON text. */
export type FieldRequest = FieldForm & { ruleConfig: string }

/** Key of `errors` for a configuration that is wrong as a whole. */
const WHOLE_CONFIG = 'ruleConfig'

/**
 * Judges a field's rule by the contract's form, and a regular expression by the engine that will run it. Throws 400 with each
 * message under the name of the value that is wrong (`minLength`, `optionSetValues` …). Null bounds are dropped: they mean none.
 */
export function checkField({ itemName, description, category, isRequired, ruleType, ruleConfig }: FieldRequest): FieldContent {
  const parsed = ruleConfigSchema(ruleType).safeParse(parseConfig(ruleConfig), { error: () => fieldMessages.configInvalid })
  if (!parsed.success) throw refusal(parsed.error.issues)
  const config: RuleConfig = parsed.data
  if (ruleType === RuleType.Pattern) refuseUnusablePattern(config.regularExpression ?? '')
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null && value !== undefined))
  return { name: itemName, description, category, required: isRequired, ruleType, ruleConfig: given }
}

/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair, and no value of a file could equal them. */
function parseConfig(text: string): unknown {
  const refuseUnstorable = (key: string, value: unknown): unknown => {
    if ([key, value].some((part) => typeof part === 'string' && (part.includes('\0') || !part.isWellFormed()))) throw configInvalid()
    return value
  }
  try {
    return JSON.parse(text, refuseUnstorable)
  } catch {
    throw configInvalid()
  }
}

const configInvalid = () => invalid(WHOLE_CONFIG, fieldMessages.configInvalid)

type Issue = { code?: string; path: PropertyKey[]; message: string }

function refusal(issues: readonly Issue[]): AppError {
  const fieldErrors: Record<string, string[]> = {}
  for (const { code, path, message } of issues) {
    const isWhole = path.length === 0 || code === 'unrecognized_keys'
    const key = isWhole ? WHOLE_CONFIG : String(path[0])
    ;(fieldErrors[key] ??= []).push(isWhole ? fieldMessages.configInvalid : message)
  }
  return new AppError(400, Object.values(fieldErrors)[0][0], { fieldErrors })
}

function refuseUnusablePattern(pattern: string): void {
  const reason = checkPattern(pattern)
  if (reason !== null) throw invalid('regularExpression', fieldMessages.patternInvalid(reason))
}
