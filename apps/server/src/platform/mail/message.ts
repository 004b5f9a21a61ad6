import type { SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from '#platform/mail/mailer.ts'

/** The e-mail for nodemailer. The recipient is an object, so that a comma or line break adds no other one. */
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
