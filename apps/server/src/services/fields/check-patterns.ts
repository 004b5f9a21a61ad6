import { dictionaryLimits } from '@veridict/contract/limits'
import { isCommonPattern, patternsSize } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { ValidatorError } from '#drivers/validator/validator.ts'
import { unavailable } from '#errors.ts'

type Needs = Pick<Deps, 'validator' | 'log'>

/**
 * Asks the engine for regular expressions of one dictionary, in their order; answers what says of each why it
 * cannot be used, or null. A large one takes a second to compile, so that is done in a process of its own; of
 * common ones it is known without. Throws 503 when there is no answer.
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

/** What a validator process says of a dictionary. Throws 503 when it says nothing. */
export async function askValidator<T>(ask: () => Promise<T>, { log }: Pick<Needs, 'log'>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ValidatorError)) throw error
    log.error({ err: error }, 'the validator failed at a dictionary')
    throw unavailable()
  }
}
