import { companyTokenMessages } from '@veridict/contract/messages/company-tokens'
import type { TokenScope } from '@veridict/contract/model/token-scope'
import { formatTime } from '#mail/format.ts'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'

export type EndingToken = {
  /** Name of the reader. */
  name: string
  token: {
    name: string
    companyName: string
    scope: TokenScope
    creatorEmail: string | null
    lastUsedAt: Date | null
    expiresAt: Date
  }
  /** The URL of the company, with its tokens. */
  address: string
}

/** To who made a token, two weeks before it ends. See docs/BEHAVIOUR.md#tokens. */
export function companyTokenEndsMail({ name, token, address }: EndingToken): MailMessage {
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
    action: { label: 'Open the tokens', address },
  })
}
