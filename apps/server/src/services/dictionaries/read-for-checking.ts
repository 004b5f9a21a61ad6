import type { Field } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import type { CompanyViewer } from '#policies/viewer.ts'
import { isCompanyDictionary } from '#repositories/company-dictionaries.ts'
import type { DictionaryDetail } from '#repositories/dictionaries.ts'
import { findPresentVersion, findVersionFields } from '#repositories/dictionary-versions.ts'
import { readDictionary } from '#services/dictionaries/read-dictionaries.ts'

/** `currentYear`: of the clock that also validates, for dates with two-digit years. */
export type DictionaryToCheckBy = { dictionary: DictionaryDetail; fields: Field[]; currentYear: number }

/** A dictionary that the viewer may upload against, as it is now. Throws 404 for all others. */
export async function readForChecking(
  id: number,
  { companyId }: Pick<CompanyViewer, 'companyId'>,
  deps: Pick<Deps, 'db' | 'clock'>,
): Promise<DictionaryToCheckBy> {
  if (!(await isCompanyDictionary(deps.db, companyId, id))) throw notFound('Data dictionary')
  const dictionary = await readDictionary(id, deps)
  const version = await findPresentVersion(deps.db, dictionary)
  const fields = await findVersionFields(deps.db, version.id)
  return { dictionary, fields, currentYear: deps.clock.now().getFullYear() }
}
