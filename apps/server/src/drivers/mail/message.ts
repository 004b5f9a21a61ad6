import type { SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from '#drivers/mail/mailer.ts'

/**
 * A letter as nodemailer takes it. The recipient goes in as an object: so a comma or a line break in it can
 * add nobody.
 */
export function asMessage(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: mail.sentAt,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
