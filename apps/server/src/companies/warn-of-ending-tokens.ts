import { companyTokenLimits } from '@veridict/contract/limits'
import type { Transaction } from 'kysely'
import type { CompanyTokenRow, Database, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { companyTokenEndsMail } from '#companies/company-token-ends.ts'
import { claimEndingTokens } from '#companies/company-tokens.ts'
import { findAllAdministrators, findUser } from '#users/users.ts'
import { queueNotice, type MailDeps } from '#mail/queue-mail.ts'

/**
 * Queues the e-mail about each token that ends in two weeks or less, once, also if nothing ran on the day
 * when it was due. See docs/BEHAVIOUR.md#tokens.
 */
export async function warnOfEndingTokens(deps: Pick<Deps, 'db'> & MailDeps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    for (const token of await claimEndingTokens(trx, companyTokenLimits.noticeDays))
      for (const { name, email } of await findReaders(token, trx)) {
        const address = `${deps.env.publicUrl}/home/company/edit/${token.companyId}`
        await queueNotice(email, companyTokenEndsMail({ name, token, address }), trx, deps)
      }
  })
}

/** Who made the token; all super administrators if that is not known, or the person was deleted. */
async function findReaders({ creatorId }: CompanyTokenRow, trx: Transaction<Database>): Promise<UserRow[]> {
  const creator = creatorId === null ? undefined : await findUser(trx, creatorId)
  return creator === undefined ? findAllAdministrators(trx) : [creator]
}
