import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { PatternRule } from '@veridict/contract/model/rule'
import { RE2JS } from 're2js'
import { acceptAutomaton, asciiMatcher } from '#compile/byte-automaton.ts'
import { determinize } from '#compile/determinize.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'
import { parsePattern } from '#rules/pattern-syntax.ts'

/**
 * Regular expression: the whole value matches. The definition is RE2 (`re2js`), which is linear in the input where V8
 * never returns from `^(a+)+$`; it takes some 800 ns a cell. Patterns of the common subset also become an automaton,
 * which knows ASCII values exactly in some 50 ns, straight from the bytes or from the text, and is tested against RE2.
 * Throws what `re2js` throws for a pattern that `checkPattern` refuses.
 */
export function compilePattern(rule: PatternRule, description: string): CompiledRule {
  const syntax = parsePattern(rule.pattern)
  const automaton = syntax === null ? null : determinize(syntax)
  const knows = automaton === null ? () => null : asciiMatcher(automaton)
  // Compiling it takes milliseconds, and many files never need it: where there is an automaton, only beyond ASCII.
  let compiled = automaton === null ? RE2JS.compile(rule.pattern) : null
  const matches = (text: string) => (compiled ??= RE2JS.compile(rule.pattern)).matches(text)
  const expected = cellExpectations.pattern(description, rule.pattern)
  const mismatch = { code: 'patternMismatch', error: cellErrors.patternMismatch, expected } as const
  return {
    expected,
    check: (text) => ((knows(text) ?? matches(text)) ? null : mismatch),
    accept: (kinds, required) => (automaton && acceptAutomaton(automaton, kinds, required, 'unsure')) ?? neverSure,
  }
}

/** Why the engine cannot run a pattern, in words; null where it can. Asked when a field is saved. */
export function checkPattern(pattern: string): string | null {
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
