import nodemailer from 'nodemailer'
import { MailRefusedError, type Mailer } from '#drivers/mail/mailer.ts'
import { asMessage } from '#drivers/mail/message.ts'

const SECOND = 1000

/** Sends e-mails through an SMTP server. Timeouts are short, because failed e-mails are tried again. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    dnsTimeout: 10 * SECOND,
  })
  return {
    async send(mail) {
      try {
        await transport.sendMail(asMessage(mail, from))
      } catch (error) {
        throw asRefusal(error as SmtpError) ?? error
      }
    },
    async close() {
      transport.close()
    },
  }
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string }

/** The refusal, if the server refused sender, recipient or content, and did not fail altogether. */
function asRefusal({ code, responseCode, response, message }: SmtpError): MailRefusedError | undefined {
  if (responseCode === undefined || (code !== 'EENVELOPE' && code !== 'EMESSAGE')) return undefined
  return new MailRefusedError(response ?? message, { isPermanent: responseCode >= 500 })
}
