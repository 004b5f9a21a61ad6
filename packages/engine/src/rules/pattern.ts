import { dictionaryLimits } from '@veridict/contract/limits'
import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { PatternRule, Rule } from '@veridict/contract/model/rule'
import { automatonPath, type Automaton, textMatcher, writingsMatcher } from '#fast-path/byte-automaton.ts'
import { composed } from '#rules/composed.ts'
import { determinize } from '#rules/determinize.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { type SeparatorFiller, separatorFiller } from '#rules/fill-separators.ts'
import { patternSize } from '#rules/pattern-size.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'

/** A pattern → whether a whole text matches it: the definition of the rule. See `re2.ts`. */
export type PatternReference = (pattern: string) => (text: string) => boolean

/**
 * The whole value matches, as RE2 defines it. Patterns of the common subset become an automaton (some 50 ns,
 * from bytes or text), tested against RE2. `reference` may be null if `needsReference` is false, or if no
 * value will be checked.
 */
export function compilePattern(
  rule: PatternRule,
  description: string,
  reference: PatternReference | null,
): CompiledRule {
  const automaton = automatonOf(rule)
  const automatonMatches = automaton === null ? () => null : textMatcher(automaton)
  // Compiled when needed: it takes RE2 milliseconds, and an automaton needs it beyond ASCII only.
  let compiled: ((text: string) => boolean) | undefined
  const matches = (text: string) => (compiled ??= reference!(rule.pattern))(text)
  const accepts = (text: string) => automatonMatches(text) ?? matches(text)
  const isDecomposed = rule.pattern.normalize('NFC') !== rule.pattern
  // A pattern may have letters with their accents apart; then the value fits so, too.
  const acceptsOther = (form: string, text: string) => form !== text && accepts(form)
  const acceptsForm = (text: string) =>
    acceptsOther(composed(text), text) || (isDecomposed && acceptsOther(text.normalize('NFD'), text))
  // Few columns have a bad value that needs it.
  let made: SeparatorFiller | undefined
  const filler = () => (made ??= separatorFiller(rule.pattern))
  const mayFitWritten = automaton === null ? null : writingsMatcher(automaton)
  const expected = cellExpectations.pattern(description, rule.pattern)
  const mismatch = { code: 'patternMismatch', error: cellErrors.patternMismatch, expected } as const
  return {
    expected,
    ...(mayFitWritten !== null && {
      mayFitRewritten: (text) => mayFitWritten(text) || filler().mayFill(text),
    }),
    withSeparators: (characters) => filler().fill(characters),
    prefix: () => filler().prefix,
    ...(automaton !== null && { describe: (kernel, column) => kernel.automaton(column, automaton) }),
    check: (text) => (accepts(text) || acceptsForm(text) ? null : mismatch),
    fastPath: (kinds, required) => (automaton && automatonPath(automaton, kinds, required)) ?? neverSure,
  }
}

/** Whether a rule is a pattern that an automaton cannot decide for all texts. */
export const needsReference = (rule: Rule): boolean =>
  rule.type === 'pattern' && automatonOf(rule)?.beyondAscii !== 'exact'

/** RE2 limits the unrolled size. This length is within the limit even if all is repeated a thousand times. */
const MAX_COMMON_LENGTH = 500

/** Whether `checkPattern` surely accepts a pattern. Then RE2 need not be loaded to check that. */
export const isCommonPattern = (pattern: string): boolean =>
  pattern.length <= MAX_COMMON_LENGTH &&
  patternSize(pattern) <= dictionaryLimits.maxPatternSize &&
  parsePattern(pattern) !== null

/** Each automaton is needed twice: by `needsReference`, then by `compilePattern`. */
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
