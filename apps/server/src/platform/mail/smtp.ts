import nodemailer from 'nodemailer'
import { asMessage, type Mailer, MailRefusedError } from '#platform/mail/mailer.ts'

const SECOND = 1000

/**
 * How long to wait for a reply. A server that checks an e-mail before it confirms it takes minutes (RFC 5321,
 * 4.5.3.2); after a shorter wait, each retry would deliver the e-mail once more. Less than the RFC's 10
 * minutes, so that e-mails go on within 5 minutes after an outage in which connections got no reply.
 */
const IDLE_MILLISECONDS = 3 * 60 * SECOND

/**
 * Sends e-mails through an SMTP server. The time for a connection is short, because failed e-mails are tried
 * again.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = openTransport(url)
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

/** A refusal if the server refused this sender, recipient or content; undefined for any other error. */
function asRefusal({ code, responseCode, response, message }: SmtpError): MailRefusedError | undefined {
  if (responseCode === undefined || (code !== 'EENVELOPE' && code !== 'EMESSAGE')) return undefined
  return new MailRefusedError(response ?? message, { isPermanent: responseCode >= 500 })
}

const openTransport = (url: string) =>
  nodemailer.createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: IDLE_MILLISECONDS,
    dnsTimeout: 10 * SECOND,
  })

/** Throws if the server does not respond, or refuses the login of the address. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = openTransport(url)
  await transport.verify().finally(() => transport.close())
}
