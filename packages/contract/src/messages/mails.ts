import { counted } from '#notation/count.ts'
import { adminScreenTitles } from './admin-screens.ts'

/** Sentences about e-mails that could not be sent. See docs/BEHAVIOUR.md#e-mail. */
export const mailMessages = {
  title: adminScreenTitles.mails,
  lead:
    'The mail server refused these for good, or for three days. Correct the address or the mail server, ' +
    'then send them again.',
  empty: 'Every e-mail was delivered',
  emptyText: 'An e-mail that the mail server refuses is listed here, with its reply.',
  search: 'Search by recipient or subject',
  sendAgain: 'Send again',
  sentAgain: 'The e-mail is being sent.',
  alreadySent: 'This e-mail was sent already.',
  textDeleted: 'The text of this e-mail was deleted when it was given up. It cannot be sent.',
  undelivered: (count: number) => `${counted(count, 'e-mail')} could not be delivered`,
} as const
