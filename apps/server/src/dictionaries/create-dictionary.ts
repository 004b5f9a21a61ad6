import { checkWireFields, wireProblemText } from '@veridict/contract/api/check-wire-field'
import type { Deps } from '#deps.ts'
import { allProblems } from '#dictionaries/all-problems.ts'
import { createWithFields } from '#dictionaries/create-with-fields.ts'
import { checkPatterns } from '#dictionaries/check-patterns.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

/** A dictionary as a request contains it: its fields are not checked yet. */
export type DictionaryRequest = { name: string; items?: readonly Record<string, unknown>[] }

/**
 * Makes a dictionary with these fields, or nothing; returns its id. Throws 400 with every problem of the
 * fields, each naming its field, and 409 when the name is taken.
 */
export async function createDictionary(
  { name, items = [] }: DictionaryRequest,
  userId: number,
  deps: Needs,
): Promise<number> {
  const { fields, problems } = await checkWireFields(items, (patterns) => checkPatterns(patterns, deps))
  if (problems.length > 0) throw allProblems(problems.map(wireProblemText))
  return createWithFields({ name, fields, change: { kind: 'created' } }, userId, deps)
}
