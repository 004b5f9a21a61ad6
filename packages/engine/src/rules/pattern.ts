import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { PatternRule, Rule } from '@veridict/contract/model/rule'
import { acceptAutomaton, type Automaton, textMatcher } from '#compile/byte-automaton.ts'
import { determinize } from '#compile/determinize.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'

/** A pattern → whether a text matches it as a whole: what defines the rule. See `re2.ts`. */
export type PatternReference = (pattern: string) => (text: string) => boolean

/**
 * Regular expression: the whole value matches. The definition is RE2. Patterns of the common subset become an automaton
 * instead, which knows what RE2 would say in some 50 ns, straight from the bytes or from the text, and is tested against
 * it. `reference` may be null where `needsReference` says so, and where no value will be judged.
 */
export function compilePattern(rule: PatternRule, description: string, reference: PatternReference | null): CompiledRule {
  const automaton = automatonOf(rule.pattern)
  const knows = automaton === null ? () => null : textMatcher(automaton)
  // Compiling it takes milliseconds, and many files never need it: where there is an automaton, only beyond ASCII.
  let compiled: ((text: string) => boolean) | undefined
  const matches = (text: string) => (compiled ??= reference!(rule.pattern))(text)
  const expected = cellExpectations.pattern(description, rule.pattern)
  const mismatch = { code: 'patternMismatch', error: cellErrors.patternMismatch, expected } as const
  return {
    expected,
    check: (text) => ((knows(text) ?? matches(text)) ? null : mismatch),
    accept: (kinds, required) => (automaton && acceptAutomaton(automaton, kinds, required)) ?? neverSure,
  }
}

/** Whether a rule is a pattern of which no automaton knows everything. */
export const needsReference = (rule: Rule): boolean => rule.type === 'pattern' && automatonOf(rule.pattern)?.beyondAscii !== 'exact'

/** Whether a pattern is of the subset, all of which RE2 takes: then nobody need load it to ask. */
export const isCommonPattern = (pattern: string): boolean => automatonOf(pattern) !== null

function automatonOf(pattern: string): Automaton | null {
  const parsed = parsePattern(pattern)
  return parsed && determinize(parsed)
}
