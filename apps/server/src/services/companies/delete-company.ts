import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { lockCompany, markCompanyDeleted, markCompanyUsersDeleted } from '#repositories/companies.ts'

/**
 * Deletes a company and its users softly. Their sessions end and their sockets close; names and e-mails are
 * free again; the storage folder is not, and the files in it stay. Throws 404 when there is no such company.
 */
export async function deleteCompany(id: number, deps: Pick<Deps, 'db' | 'bus'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockCompany(trx, id))) throw notFound('Company')
    await markCompanyDeleted(trx, id)
    for (const userId of await markCompanyUsersDeleted(trx, id)) await deps.bus.publishEnd({ userId }, trx)
  })
}
