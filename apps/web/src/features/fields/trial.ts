import type { Rule } from '@veridict/contract/model/rule'
import type { FieldTrial, TrialPlatform } from '@veridict/engine/try-field'
import { type FieldValues, readUnnamedField } from './field-values.ts'
import type { RuleEngine } from './use-rule-engine.ts'

/** The compiled rule of a form, or the sentences that say what it lacks. */
export type Trial = { kind: 'ready'; rule: Rule; trial: FieldTrial } | { kind: 'incomplete'; lacks: string[] }

/** Compiles the rule that the form describes. Never throws: an incomplete or wrong rule is a result. */
export function trialOf(values: FieldValues, { checkPattern, tryField }: RuleEngine): Trial {
  const read = readUnnamedField(values, checkPattern)
  if (!read.ok) return { kind: 'incomplete', lacks: Object.values(read.errors) }
  return { kind: 'ready', rule: read.field.rule, trial: tryField(read.field, browserPlatform()) }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const browserPlatform = (): TrialPlatform => ({
  encodeUtf8: (text) => encoder.encode(text),
  decodeUtf8: (bytes, start, end) => decoder.decode(bytes.subarray(start, end)),
  currentYear: new Date().getFullYear(),
})
