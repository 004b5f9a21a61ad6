import { useQuery } from '@tanstack/react-query'

export type RuleEngine = typeof import('@veridict/engine/try-field')

/**
 * The engine's rules in the browser. They come in a chunk of their own once a field form is open, because
 * RE2 is as large as the rest of that screen. `engine` is null until then.
 */
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
