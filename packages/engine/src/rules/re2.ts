import { dictionaryLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { RE2JS } from 're2js'
import { isCommonPattern, type PatternReference } from '#rules/pattern.ts'
import { patternSize } from '#rules/pattern-size.ts'

/**
 * Defines what a pattern matches: linear in the input, where V8 never returns from `^(a+)+$`. Some 800 ns per
 * cell, ten milliseconds to load. Throws for a pattern that `checkPattern` refuses.
 */
export const re2: PatternReference = (pattern) => {
  const compiled = compile(pattern)
  return (text) => compiled.matches(text)
}

const compile = (pattern: string): RE2JS => RE2JS.compile(withoutNeedlessEscapes(pattern))

/** RE2 refuses a backslash before a character beyond ASCII. Between \Q and \E it is a character itself. */
const withoutNeedlessEscapes = (pattern: string): string =>
  pattern.replace(/\\Q[^]*?(?:\\E|$)|\\([^])/gu, (whole, escaped: string | undefined) =>
    escaped !== undefined && escaped > '\u007f' ? escaped : whole,
  )

/** A pattern → why the engine cannot run it, as a sentence; null if it can. */
export type CheckPattern = (pattern: string) => string | null

/** Checks one pattern, when a field is saved. */
export const checkPattern: CheckPattern = (pattern) => patternChecker()(pattern)

/**
 * `checkPattern` for all patterns of a dictionary: each is compiled once, and none that is too large, alone
 * or with those before it; a stored one may be larger, from before the limit. Without limits a workbook of 4
 * kB takes half a minute to read, one of a megabyte hours.
 */
export function patternChecker(
  maxSize: number = dictionaryLimits.maxPatternSize,
  maxTotal: number = dictionaryLimits.maxPatternsSize,
): CheckPattern {
  const checked = new Map<string, string | null>()
  let total = 0
  return (pattern) => {
    const known = checked.get(pattern)
    if (known !== undefined) return known
    const size = patternSize(pattern)
    if (size > maxSize) return fieldMessages.patternTooLarge
    if (total + size > maxTotal) return fieldMessages.patternsTooLarge
    const refusal = isCommonPattern(pattern) ? null : compileError(pattern)
    if (refusal === null) total += size
    checked.set(pattern, refusal)
    return refusal
  }
}

function compileError(pattern: string): string | null {
  try {
    compile(pattern)
    return null
  } catch (error) {
    return reason(error instanceof Error ? error.message : String(error))
  }
}

/** The library's message without its prefix; the features that people most often miss are named. */
function reason(message: string): string {
  const detail = message.replace(/^error parsing regexp: /, '')
  if (/\(\?[=!]|\(\?<[=!]/.test(detail)) return 'look-ahead and look-behind are not supported.'
  if (/invalid escape sequence: `\\[1-9]/.test(detail)) return 'back-references are not supported.'
  return `${detail}.`
}
