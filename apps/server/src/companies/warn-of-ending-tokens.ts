import { companyTokenLimits } from '@veridict/contract/limits'
import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import { claimEndingTokens } from '#companies/company-tokens.ts'
import type { Deps } from '#deps.ts'
import { composeMail, formatTime, type MailMessage } from '#mail/mail-message.ts'
import { type MailDeps, queueMail } from '#mail/queue-mail.ts'
import type { CompanyTokenRow, Trx, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { findAllAdministrators, findUser } from '#users/users.ts'

/** Warns once, two weeks before the end or, if nothing ran then, later. See docs/BEHAVIOUR.md#tokens. */
export async function warnOfEndingTokens(deps: Pick<Deps, 'db'> & MailDeps): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    for (const token of await claimEndingTokens(trx, companyTokenLimits.noticeDays))
      for (const { name, email } of await findReaders(token, trx))
        await queueMail(email, companyTokenEndsMail(name, token, deps.env.publicUrl), trx, deps)
  })
}

/** Who made the token; all super administrators if that is not known, or the person was deleted. */
async function findReaders({ creatorId }: CompanyTokenRow, trx: Trx): Promise<UserRow[]> {
  const creator = creatorId === null ? undefined : await findUser(trx, creatorId)
  return creator === undefined ? findAllAdministrators(trx) : [creator]
}

type EndingToken = Pick<
  CompanyTokenRow,
  'companyId' | 'name' | 'scope' | 'creatorEmail' | 'lastUsedAt' | 'expiresAt'
> & { companyName: string }

/** To who made a token, two weeks before it ends. See docs/BEHAVIOUR.md#tokens. */
export function companyTokenEndsMail(name: string, token: EndingToken, portal: string): MailMessage {
  const { scopeLabel, scopes, creatorLabel, creatorUnknown, neverUsed } = companyTokenMessages
  return composeMail({
    subject: `A token of ${token.companyName} ends soon: ${token.name}`,
    name,
    opening: [
      'After that, programs that use this token can no longer upload files or read results.',
      'If they are still needed, create a new token, enter it in these programs, and then revoke this one. ' +
        'If not, there is nothing that you have to do.',
    ],
    facts: [
      ['Token', token.name],
      ['Company', token.companyName],
      [scopeLabel, scopes[token.scope]],
      [creatorLabel, token.creatorEmail ?? creatorUnknown],
      ['Last used', token.lastUsedAt === null ? neverUsed : formatTime(token.lastUsedAt)],
      ['Ends', formatTime(token.expiresAt)],
    ],
    action: { label: 'Open the tokens', address: `${portal}/home/company/edit/${token.companyId}` },
  })
}
