import type { CompanyForm } from '@veridict/contract/forms/company'
import type { Deps } from '#deps.ts'
import { insertCompany } from '#repositories/companies.ts'

/**
 * Answers the id. 409 when the name or the storage folder is taken; folders of deleted companies stay taken.
 */
export const createCompany = (form: CompanyForm, deps: Pick<Deps, 'db'>): Promise<number> =>
  insertCompany(deps.db, form)
