import type { Deps } from '#deps.ts'
import type { CompanyViewer } from '#policies/viewer.ts'
import { findSelectableDictionaries } from '#repositories/company-dictionaries.ts'

/**
 * The dictionaries that the viewer may upload against: those of the company. Decisions, "People and rights".
 */
export const listSelectableDictionaries = (viewer: CompanyViewer, { db }: Pick<Deps, 'db'>) =>
  findSelectableDictionaries(db, viewer.companyId)
