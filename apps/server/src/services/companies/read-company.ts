import type { CompanyRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findCompany } from '#repositories/companies.ts'

/** Throws 404 when there is no such company. */
export async function readCompany(id: number, deps: Pick<Deps, 'db'>): Promise<CompanyRow> {
  const company = await findCompany(deps.db, id)
  if (!company) throw notFound('Company')
  return company
}
