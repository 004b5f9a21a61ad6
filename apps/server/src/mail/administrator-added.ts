import { formatTime } from '#mail/format.ts'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'

export type AddedAdministrator = {
  /** Name of the reader. */
  name: string
  added: { name: string; email: string; createdAt: Date }
  /** The e-mail of who did it; null for the operator, who uses a command or a setting. */
  by: string | null
  /** The address from which it was done; null for the operator. */
  from: string | null
  /** The URL of the list of administrators. */
  address: string
}

/** To all other super administrators when one is added. See docs/BEHAVIOUR.md#people-and-rights. */
export const administratorAddedMail = ({ name, added, by, from, address }: AddedAdministrator): MailMessage =>
  composeMail({
    subject: `A super administrator was added: ${added.email}`,
    name,
    opening: [
      'One more person can now manage all companies, users and data dictionaries of the Veridict portal. ' +
        'If you know why, there is nothing that you have to do.',
      'If not, delete the new account at once, and ask the person who added it, whose own account may be ' +
        'in the hands of somebody else.',
    ],
    facts: [
      ['Name', added.name],
      ['E-mail', added.email],
      ['Added by', by ?? 'the operator of the server, with a command or a setting'],
      ...(from === null ? [] : [['From the address', from] as const]),
      ['Added', formatTime(added.createdAt)],
    ],
    action: { label: 'Open the administrators', address },
  })
