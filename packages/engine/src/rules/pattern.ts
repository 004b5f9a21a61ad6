import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { PatternRule, Rule } from '@veridict/contract/model/rule'
import { automatonPath, type Automaton, textMatcher } from '#fast-path/byte-automaton.ts'
import { determinize } from '#rules/determinize.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'

/** A pattern → whether a text matches it as a whole: what defines the rule. See `re2.ts`. */
export type PatternReference = (pattern: string) => (text: string) => boolean

/**
 * Regular expression: the whole value matches. The definition is RE2. Patterns of the common subset become an
 * automaton instead, which knows what RE2 would say in some 50 ns, straight from the bytes or from the text,
 * and is tested against it. `reference` may be null where `needsReference` says so, and where no value will
 * be judged.
 */
export function compilePattern(
  rule: PatternRule,
  description: string,
  reference: PatternReference | null,
): CompiledRule {
  const automaton = automatonOf(rule)
  const knows = automaton === null ? () => null : textMatcher(automaton)
  // RE2 takes milliseconds to compile a pattern. Many files never ask it: where there is an automaton, only
  // texts beyond ASCII do.
  let compiled: ((text: string) => boolean) | undefined
  const matches = (text: string) => (compiled ??= reference!(rule.pattern))(text)
  const expected = cellExpectations.pattern(description, rule.pattern)
  const mismatch = { code: 'patternMismatch', error: cellErrors.patternMismatch, expected } as const
  return {
    expected,
    check: (text) => ((knows(text) ?? matches(text)) ? null : mismatch),
    fastPath: (kinds, required) =>
      (automaton && automatonPath(automaton, kinds, required, mismatch)) ?? neverSure,
  }
}

/** Whether a rule is a pattern of which no automaton knows everything. */
export const needsReference = (rule: Rule): boolean =>
  rule.type === 'pattern' && automatonOf(rule)?.beyondAscii !== 'exact'

/**
 * RE2 bounds what a pattern becomes when its repeats are unrolled. One of this length is within that bound
 * even where all of it is repeated a thousand times.
 */
const MAX_COMMON_LENGTH = 500

/** Whether a pattern is surely one that RE2 takes: then nobody need load it to ask. */
export const isCommonPattern = (pattern: string): boolean =>
  pattern.length <= MAX_COMMON_LENGTH && parsePattern(pattern) !== null

/**
 * Automata that were made already: each is wanted twice, by `needsReference` and then by `compilePattern`.
 */
const automata = new WeakMap<PatternRule, Automaton | null>()

function automatonOf(rule: PatternRule): Automaton | null {
  let automaton = automata.get(rule)
  if (automaton === undefined) {
    const parsed = parsePattern(rule.pattern)
    automaton = parsed && determinize(parsed)
    automata.set(rule, automaton)
  }
  return automaton
}
