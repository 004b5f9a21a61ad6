import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import { isCommonPattern, patternsSize } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { AppError, unavailable } from '#errors.ts'
import { ValidatorError } from '#platform/validator/validator.ts'

type Needs = Pick<Deps, 'validator' | 'log'>

/**
 * Checks the regular expressions of a dictionary, in their order. Returns a function: pattern → why it cannot
 * be used, or null. Compiling a large one takes a second, so a validator process does it; common ones need no
 * compiling. Throws 503 when the process fails.
 */
export async function checkPatterns(
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

/**
 * A refusal with all problems of a dictionary as an array; if there are too many, only the first ones. See
 * docs/BEHAVIOUR.md#dictionary-workbook.
 */
export function allProblems(problems: readonly string[]): AppError {
  const named = problems.slice(0, dictionaryLimits.maxImportProblems)
  const more = problems.length - named.length
  return new AppError(400, named[0], {
    list: more > 0 ? [...named, dictionaryImportMessages.more(more)] : named,
  })
}
