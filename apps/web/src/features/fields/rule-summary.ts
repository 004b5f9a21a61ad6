import type { FieldItem } from '@veridict/contract/api/fields'
import { type Rule, type RuleConfig, ruleFromWire, ruleTypeNames } from '@veridict/contract/model/rule'

/** A field's rule in a few words, like "Number, 0 to 100, 2 decimals". */
export function ruleSummary({
  ruleType,
  ruleConfigJson,
}: Pick<FieldItem, 'ruleType' | 'ruleConfigJson'>): string {
  return [ruleTypeNames[ruleType], ...ruleDetails(ruleFromWire(ruleType, readConfig(ruleConfigJson)))].join(
    ', ',
  )
}

/** The config of the wire; one that cannot be read counts as empty, and the form then asks for it anew. */
export function readConfig(json: string): RuleConfig {
  try {
    const config: unknown = JSON.parse(json)
    return config !== null && typeof config === 'object' ? config : {}
  } catch {
    return {}
  }
}

/** What a rule says beyond its type, like "0 to 100", "2 decimals". */
export function ruleDetails(rule: Rule): string[] {
  switch (rule.type) {
    case 'text':
      return range(rule.minLength, rule.maxLength).map((text) => `${text} characters`)
    case 'number':
      return [...range(rule.minimum, rule.maximum), ...decimals(rule.scale)]
    case 'date':
      return rule.format === '' ? [] : [rule.format]
    case 'pattern':
      return []
    case 'list':
      return [`${rule.options.length.toLocaleString('en')} value${rule.options.length === 1 ? '' : 's'}`]
  }
}

function range(minimum: number | undefined, maximum: number | undefined): string[] {
  if (minimum !== undefined && minimum === maximum) return [`exactly ${minimum}`]
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`]
  if (minimum !== undefined) return [`at least ${minimum}`]
  return maximum === undefined ? [] : [`at most ${maximum}`]
}

function decimals(scale: number | undefined): string[] {
  if (scale === undefined) return []
  return [scale === 0 ? 'whole' : `${scale} decimal${scale === 1 ? '' : 's'}`]
}
