import nodemailer from 'nodemailer'
import type { Mailer } from '#drivers/mail/mailer.ts'
import { asMessage } from '#drivers/mail/message.ts'

const SECOND = 1000

/** Hands letters to an SMTP server. Times are short, because the outbox tries again anyway. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport(url, {
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
  } as object)
  return {
    async send(mail) {
      await transport.sendMail(asMessage(mail, from))
    },
    async close() {
      transport.close()
    },
  }
}
