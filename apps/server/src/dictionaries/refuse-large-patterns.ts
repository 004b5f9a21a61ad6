import { dictionaryLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { patternsSize } from '@veridict/engine'
import { invalid } from '#errors.ts'
import type { DictionaryDraft } from '#dictionaries/dictionary-drafts.ts'
import { findPatterns } from '#dictionaries/fields.ts'

/**
 * Throws 400 when the regular expressions of a dictionary would be too large together with that of `field`,
 * which is new or replaces the field `id`. A dictionary that is too large already may still shrink.
 */
export async function refuseLargePatterns(
  { trx, id: dictionaryId }: DictionaryDraft,
  { rule }: Field,
  id: number | null,
): Promise<void> {
  if (rule.type !== 'pattern') return
  const patterns = await findPatterns(trx, dictionaryId)
  const others = patterns.filter((other) => other.id !== id).map(({ pattern }) => pattern)
  const size = patternsSize([...others, rule.pattern])
  if (size <= dictionaryLimits.maxPatternsSize || size < patternsSize(patterns.map(({ pattern }) => pattern)))
    return
  throw invalid('regularExpression', fieldMessages.patternInvalid(fieldMessages.patternsTooLarge))
}
