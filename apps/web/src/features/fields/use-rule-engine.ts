import { useQuery } from '@tanstack/react-query'

export type RuleEngine = typeof import('@veridict/engine/try-field')

/**
 * The engine's rules: the code that judges files, in the browser. They come in a chunk of their own once a
 * form of a field is open, because their regular expressions are as large as the rest of that screen.
 * `engine` is null until then.
 */
export function useRuleEngine(): { engine: RuleEngine | null; hasFailed: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['rule engine'],
    queryFn: async () => ({ engine: await import('@veridict/engine/try-field') }),
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    // The form is whole without it, and the server judges all the same.
    meta: { quiet: true },
  })
  return { engine: data?.engine ?? null, hasFailed: isError }
}
