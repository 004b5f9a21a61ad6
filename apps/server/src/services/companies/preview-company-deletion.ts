import type { CompanyDeletion } from '@veridict/contract/api/companies'
import type { Deps } from '#deps.ts'
import { countCompanyFiles, countCompanyMembers } from '#repositories/deletion-counts.ts'
import { readCompany } from '#services/companies/read-company.ts'

/** What `deleteCompany` would take away, and what would stay. Throws 404 when there is no such company. */
export async function previewCompanyDeletion(id: number, deps: Pick<Deps, 'db'>): Promise<CompanyDeletion> {
  const { storageFolder } = await readCompany(id, deps)
  const [members, files] = await Promise.all([
    countCompanyMembers(deps.db, id),
    countCompanyFiles(deps.db, id),
  ])
  return { containerName: storageFolder, ...members, ...files }
}
