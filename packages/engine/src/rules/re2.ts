import { dictionaryLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { RE2JS } from 're2js'
import { isCommonPattern, type PatternReference } from '#rules/pattern.ts'
import { patternSize } from '#rules/pattern-size.ts'

/**
 * RE2, which defines what a pattern matches: linear in the input, where V8 never returns from `^(a+)+$`. It
 * takes some 800 ns a cell, and ten milliseconds to load. Throws for a pattern that `checkPattern` refuses.
 */
export const re2: PatternReference = (pattern) => {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.matches(text)
}

/** Why the engine cannot run a pattern, in words; null where it can. */
export type CheckPattern = (pattern: string) => string | null

/** Asked when a field is saved. */
export const checkPattern: CheckPattern = (pattern) => patternChecker()(pattern)

/**
 * `checkPattern` for all patterns of one dictionary: each is judged once, and none that is too large together
 * with those before it. Otherwise a workbook of 4 kB keeps its reader busy for half a minute, and one of a
 * megabyte for hours.
 */
export function patternChecker(maxSize: number = dictionaryLimits.maxPatternsSize): CheckPattern {
  const judged = new Map<string, string | null>()
  let total = 0
  return (pattern) => {
    const known = judged.get(pattern)
    if (known !== undefined) return known
    const size = patternSize(pattern)
    if (size > maxSize) return fieldMessages.patternTooLarge
    if (total + size > maxSize) return fieldMessages.patternsTooLarge
    const refusal = isCommonPattern(pattern) ? null : judge(pattern)
    if (refusal === null) total += size
    judged.set(pattern, refusal)
    return refusal
  }
}

function judge(pattern: string): string | null {
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return reason(error instanceof Error ? error.message : String(error))
  }
}

/** The library's words without its prefix, and what people most often miss named. */
function reason(message: string): string {
  const detail = message.replace(/^error parsing regexp: /, '')
  if (/\(\?[=!]|\(\?<[=!]/.test(detail)) return 'look-ahead and look-behind are not supported.'
  if (/invalid escape sequence: `\\[1-9]/.test(detail)) return 'back-references are not supported.'
  return `${detail}.`
}
