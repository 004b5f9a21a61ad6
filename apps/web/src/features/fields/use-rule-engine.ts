import { useQuery } from '@tanstack/react-query'
import type { FieldTrial } from '@veridict/engine/try-field'
import { browserPlatform } from '#workers/browser-platform.ts'
import { type FieldValues, readUnnamedField } from './field-values.ts'

export type RuleEngine = typeof import('@veridict/engine/try-field')

/** A chunk of its own, as RE2 is as large as the rest of the screen. `engine` is null until it is there. */
export function useRuleEngine(): { engine: RuleEngine | null; hasFailed: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['rule engine'],
    queryFn: async () => ({ engine: await import('@veridict/engine/try-field') }),
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    // The form works without it: the server checks as well.
    meta: { quiet: true },
  })
  return { engine: data?.engine ?? null, hasFailed: isError }
}

/** The compiled rule of a form, or the sentences that say what it lacks. */
export type Trial = { kind: 'ready'; trial: FieldTrial } | { kind: 'incomplete'; lacks: string[] }

/** Compiles the rule that the form describes. Never throws: an incomplete or wrong rule is a result. */
export function trialOf(values: FieldValues, { checkPattern, tryField }: RuleEngine): Trial {
  const read = readUnnamedField(values, checkPattern)
  if (!read.ok) return { kind: 'incomplete', lacks: Object.values(read.errors) }
  return { kind: 'ready', trial: tryField(read.field, browserPlatform(new Date().getFullYear())) }
}
