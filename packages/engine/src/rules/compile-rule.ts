import type { Field } from '@veridict/contract/model/field'
import type { Platform } from '#platform.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { compileDate } from '#rules/date.ts'
import { compileList } from '#rules/list.ts'
import { compileNumber } from '#rules/number.ts'
import { compilePattern, type PatternReference } from '#rules/pattern.ts'
import { compileText } from '#rules/text.ts'

/**
 * All rule types. For a new one see the guide in the engine's README. `compilePattern` says when `reference`
 * may be null.
 */
export function compileRule(
  { rule, description }: Field,
  platform: Platform,
  reference: PatternReference | null,
): CompiledRule {
  switch (rule.type) {
    case 'text':
      return compileText(rule)
    case 'number':
      return compileNumber(rule)
    case 'date':
      return compileDate(rule, platform.currentYear)
    case 'pattern':
      return compilePattern(rule, description, reference)
    case 'list':
      return compileList(rule, description, platform)
  }
}
