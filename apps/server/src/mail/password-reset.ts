import { sessionTimes } from '@veridict/contract/limits'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'

const MINUTE = 60 * 1000

/** To somebody who forgot the password, or whose password an administrator resets. */
export const passwordResetMail = ({ name, address }: { name: string; address: string }): MailMessage =>
  composeMail({
    subject: 'Set a new password for Veridict',
    name,
    opening: [
      'Somebody asked for a new password for your Veridict account. With this link you set it yourself.',
    ],
    action: { label: 'Set password', address },
    closing: [
      `The link works once and for ${sessionTimes.resetLink / MINUTE} minutes. Setting the password ends all your sessions.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
