import type { Field } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import type { CompanyViewer } from '#platform/access/viewer.ts'
import { isCompanyDictionary } from '#dictionaries/company-dictionaries.ts'
import type { DictionaryDetail } from '#dictionaries/dictionaries.ts'
import { findPresentVersionId, findVersionFields } from '#dictionaries/dictionary-versions.ts'
import { readDictionary } from '#dictionaries/read-dictionaries.ts'

/**
 * `currentYear` comes from the server's clock, as in validation, for dates with two-digit years. `fields`
 * reads the fields of the version.
 */
export type DictionaryToCheckBy = {
  dictionary: DictionaryDetail
  versionId: number
  currentYear: number
  fields(): Promise<Field[]>
}

/** A dictionary that the viewer may upload against, as it is now. Throws 404 for all others. */
export async function readForChecking(
  id: number,
  { companyId }: Pick<CompanyViewer, 'companyId'>,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
): Promise<DictionaryToCheckBy> {
  if (!(await isCompanyDictionary(db, companyId, id))) throw notFound('Data dictionary')
  const dictionary = await readDictionary(id, { db })
  const versionId = await findPresentVersionId(db, dictionary)
  const currentYear = clock.now().getFullYear()
  return { dictionary, versionId, currentYear, fields: () => findVersionFields(db, versionId) }
}
