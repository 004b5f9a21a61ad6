import { type Rule, ruleTypeNames } from '@veridict/contract/model/rule'

/** A rule in a few words, like "Number, 0 to 100, 2 decimals". */
export const ruleSummary = (rule: Rule): string => [ruleTypeNames[rule.type], ...ruleDetails(rule)].join(', ')

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
