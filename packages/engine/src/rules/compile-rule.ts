import type { Field } from '@veridict/contract/model/field'
import type { Platform } from '#platform.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { compileDate } from '#rules/date.ts'
import { compileList } from '#rules/list.ts'
import { compileNumber } from '#rules/number.ts'
import { compilePattern, type PatternReference } from '#rules/pattern.ts'
import { compileText } from '#rules/text.ts'

/**
 * The catalogue of rule types. A new one is a file beside this, a line here and a table in `test/cases`.
 * `reference` may be null as `compilePattern` says.
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
      return compileList(rule, platform)
  }
}
