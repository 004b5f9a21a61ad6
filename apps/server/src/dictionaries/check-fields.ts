import { checkWireFields, wireProblemText } from '@veridict/contract/api/check-wire-field'
import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import type { Field } from '@veridict/contract/model/field'
import { isCommonPattern, patternsSize } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { AppError, unavailable } from '#errors.ts'
import { ValidatorError } from '#platform/validator/validator.ts'

type Needs = Pick<Deps, 'validator' | 'log'>
/** A field as a request contains it, not checked yet: `ruleConfig` is JSON text. */
type FieldRequest = Readonly<Record<string, unknown>>

/**
 * The engine that will run a regular expression checks it, too. Throws 400 with messages by wire name, 503
 * without the engine. `isStored`: the field has this expression already; it may be larger than new ones.
 */
export async function checkField(
  request: FieldRequest,
  deps: Needs,
  isStored: (pattern: string) => Promise<boolean> = async () => false,
): Promise<Field> {
  const { fields, problems } = await checkWireFields([request], async (patterns) => {
    const reasonOf = await checkPatterns(patterns, deps)
    const refused = patterns.filter((pattern) => reasonOf(pattern) !== null)
    const areStored = await Promise.all(refused.map(isStored))
    return (pattern) => (areStored[refused.indexOf(pattern)] ? null : reasonOf(pattern))
  })
  if (problems.length > 0) throw refusal(problems)
  return fields[0]!
}

/** Checks the fields of a whole dictionary. Throws 400 with every problem, each naming its field. */
export async function checkFields(items: readonly FieldRequest[], deps: Needs): Promise<Field[]> {
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

/** All problems of a dictionary, or the first ones. See docs/BEHAVIOUR.md#dictionary-workbook. */
export function allProblems(problems: readonly string[]): AppError {
  const named = problems.slice(0, dictionaryLimits.maxImportProblems)
  const more = problems.length - named.length
  return new AppError(400, named[0], {
    list: more > 0 ? [...named, dictionaryImportMessages.more(more)] : named,
  })
}

/**
 * Returns a function: pattern → why it cannot be used, or null. Compiling a large one takes a second, so a
 * validator process does it; common ones need no compiling. Throws 503 when it fails.
 */
async function checkPatterns(
  patterns: readonly string[],
  deps: Needs,
): Promise<(pattern: string) => string | null> {
  const asked = [...new Set(patterns)]
  if (asked.every(isCommonPattern) && patternsSize(asked) <= dictionaryLimits.maxPatternsSize)
    return () => null
  const refusals = await askValidator(() => deps.validator.run('checkPatterns', asked), deps)
  const known = new Map(asked.map((pattern, index) => [pattern, refusals[index]]))
  return (pattern) => known.get(pattern) ?? null
}

/** The result of a validator process. Throws 503 when it fails. */
export async function askValidator<T>(ask: () => Promise<T>, { log }: Pick<Needs, 'log'>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ValidatorError)) throw error
    log.error({ err: error }, 'the validator failed at a dictionary')
    throw unavailable()
  }
}
