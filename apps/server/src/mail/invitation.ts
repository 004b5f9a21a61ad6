import { sessionTimes } from '@veridict/contract/limits'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'

const DAY = 24 * 60 * 60 * 1000

/** To a new user: the link with which the first password is set. */
export const invitationMail = ({ name, address }: { name: string; address: string }): MailMessage =>
  composeMail({
    subject: 'Welcome to Veridict: set your password',
    name,
    opening: [
      'An account was created for you in the Veridict portal. Set a password to log in for the first time.',
    ],
    action: { label: 'Set password', address },
    closing: [
      `The link works once and for ${sessionTimes.invitationLink / DAY} days. After that, "Forgot password?" on the login page sends you a new one.`,
    ],
  })
