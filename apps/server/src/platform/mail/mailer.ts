import type { SendMailOptions } from 'nodemailer'

/** An e-mail to send. `messageId` is the same at every attempt, so that the receiver can drop a duplicate. */
export type OutgoingMail = {
  messageId: string
  recipient: string
  subject: string
  text: string
  html: string
  sentAt: Date
}

/** Uses SMTP or a folder. Throws `MailRefusedError` for this e-mail, other errors if none can be sent. */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): Promise<void> }

/** The server refused this one e-mail, for now (4xx) or for good (5xx); it may accept others. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent }: { isPermanent: boolean }) {
    super(message)
    this.isPermanent = isPermanent
  }
}

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
