import { RE2JS } from 're2js'
import type { PatternReference } from '#rules/pattern.ts'

/**
 * RE2, which defines what a pattern matches: linear in the input, where V8 never returns from `^(a+)+$`. It takes some
 * 800 ns a cell, and ten milliseconds to load. Throws for a pattern that `checkPattern` refuses.
 */
export const re2: PatternReference = (pattern) => {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.matches(text)
}

/** Why the engine cannot run a pattern, in words; null where it can. */
export type CheckPattern = (pattern: string) => string | null

/** Asked when a field is saved. */
export const checkPattern: CheckPattern = (pattern) => judge(pattern).refusal

/** What the patterns of one dictionary may become when their repeats are unrolled: some seconds of compiling. Ours. */
const MAX_INSTRUCTIONS = 500_000

/**
 * `checkPattern` for all patterns of one dictionary: each is compiled once, and none any more once those before it are too large
 * together. Otherwise a workbook of 4 kB keeps its reader busy for half a minute, and one of a megabyte for hours.
 */
export function patternChecker(maxInstructions: number = MAX_INSTRUCTIONS): CheckPattern {
  const judged = new Map<string, string | null>()
  let instructions = 0
  return (pattern) => {
    const known = judged.get(pattern)
    if (known !== undefined) return known
    if (instructions > maxInstructions) return 'together with the expressions of the fields before it, it is too large.'
    const { refusal, size } = judge(pattern)
    instructions += size
    judged.set(pattern, refusal)
    return refusal
  }
}

/** `size`: how many instructions the pattern compiles to; 0 where it cannot be run. */
function judge(pattern: string): { refusal: string | null; size: number } {
  try {
    return { refusal: null, size: RE2JS.compile(pattern).programSize() }
  } catch (error) {
    return { refusal: reason(error instanceof Error ? error.message : String(error)), size: 0 }
  }
}

/** The library's words without its prefix, and what people most often miss named. */
function reason(message: string): string {
  const detail = message.replace(/^error parsing regexp: /, '')
  if (/\(\?[=!]|\(\?<[=!]/.test(detail)) return 'look-ahead and look-behind are not supported.'
  if (/invalid escape sequence: `\\[1-9]/.test(detail)) return 'back-references are not supported.'
  return `${detail}.`
}
