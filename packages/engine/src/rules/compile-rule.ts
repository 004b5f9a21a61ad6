import type { Field } from '@veridict/contract/model/field'
import type { CheckDigitScheme } from '@veridict/contract/model/rule'
import type { TextPlatform } from '#platform.ts'
import { withCheckDigit } from '#rules/check-digit.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { compileDate } from '#rules/date.ts'
import { compileList, severalValues } from '#rules/list.ts'
import { compileNumber } from '#rules/number.ts'
import { compilePattern, type PatternReference } from '#rules/pattern.ts'
import { compileText } from '#rules/text.ts'

/** For a new type see the engine's README. `compilePattern` says when `reference` may be null. */
export function compileRule(
  { rule, description }: Field,
  platform: TextPlatform,
  reference: PatternReference | null,
): CompiledRule {
  switch (rule.type) {
    case 'text':
      return checked(compileText(rule), rule.checkDigit)
    case 'number':
      return compileNumber(rule)
    case 'date':
      return compileDate(rule, platform.currentYear)
    case 'pattern':
      return checked(compilePattern(rule, description, reference), rule.checkDigit)
    case 'list': {
      const list = compileList(rule, description, platform)
      const { separator } = rule
      return separator === undefined ? list : severalValues({ ...rule, separator }, list)
    }
  }
}

const checked = (rule: CompiledRule, scheme: CheckDigitScheme | undefined): CompiledRule =>
  scheme === undefined ? rule : withCheckDigit(rule, scheme)
