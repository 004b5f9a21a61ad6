import { checkTemplate, writeTemplate } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import type { Viewer } from '#policies/viewer.ts'
import { isCompanyDictionary } from '#repositories/company-dictionaries.ts'
import { loadDictionary } from '#services/dictionaries/load-dictionary.ts'

/**
 * The blank workbook of a dictionary. Administrators may have that of any, company users those of their company's: throws
 * 404 for all others, and 409 where there is nothing to fill in.
 */
export async function makeTemplate(
  id: number,
  { companyId }: Pick<Viewer, 'companyId'>,
  deps: Pick<Deps, 'db'>,
): Promise<{ name: string; workbook: Uint8Array }> {
  if (companyId !== null && !(await isCompanyDictionary(deps.db, companyId, id))) throw notFound('Data dictionary')
  const dictionary = await loadDictionary(id, deps)
  const refusal = checkTemplate(dictionary.fields)
  if (refusal !== null) throw conflict(refusal)
  const chunks = await Array.fromAsync(writeTemplate(dictionary, nodePlatform()))
  return { name: dictionary.name, workbook: Buffer.concat(chunks) }
}
