/** A letter on its way. `messageId` is the same at every attempt, so a receiver can drop a doubled one. */
export type OutgoingMail = {
  messageId: string
  recipient: string
  subject: string
  text: string
  html: string
  sentAt: Date
}

/**
 * Hands letters over: to an SMTP server, or into a folder. Throws `MailRefusedError` when this letter was
 * refused, and anything else when no letter can be handed over at the moment.
 */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): Promise<void> }

/** The receiving side refused this one letter; others may well be taken. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
}
