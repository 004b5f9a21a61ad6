import nodemailer from 'nodemailer'
import { MailRefusedError, type Mailer } from '#drivers/mail/mailer.ts'
import { asMessage } from '#drivers/mail/message.ts'

const SECOND = 1000

/**
 * A server that checks an e-mail before it confirms it takes minutes (RFC 5321, 4.5.3.2). One that we gave up
 * would get the e-mail again, and take it again, with every attempt. Shorter than the RFC's 10 minutes, so
 * that e-mails go on within 5 minutes after an outage in which nothing answered.
 */
const IDLE_MILLISECONDS = 3 * 60 * SECOND

/**
 * Sends e-mails through an SMTP server. The time for a connection is short, because failed e-mails are tried
 * again.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: IDLE_MILLISECONDS,
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
