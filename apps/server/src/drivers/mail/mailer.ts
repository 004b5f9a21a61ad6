/** A letter on its way. `messageId` is the same at every attempt, so a receiver can drop a doubled one. */
export type OutgoingMail = { messageId: string; recipient: string; subject: string; text: string; html: string; sentAt: Date }

/** Hands letters over: to an SMTP server, or into a folder. Throws when the letter was not taken. */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): Promise<void> }
