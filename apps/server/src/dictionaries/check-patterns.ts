import { dictionaryLimits } from '@veridict/contract/limits'
import { isCommonPattern, patternsSize } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { unavailable } from '#errors.ts'

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
  const refusals = await askValidator(() => deps.validator.checkPatterns(asked), deps)
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
