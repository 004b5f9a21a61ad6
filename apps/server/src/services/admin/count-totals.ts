import type { Deps } from '#deps.ts'
import { countCompanies } from '#repositories/companies.ts'
import { countDictionaries } from '#repositories/dictionaries.ts'

/** How many dictionaries and companies there are, deleted ones left out. */
export async function countTotals(deps: Pick<Deps, 'db'>) {
  const [dictionaries, companies] = await Promise.all([countDictionaries(deps.db), countCompanies(deps.db)])
  return { dictionaries, companies }
}
