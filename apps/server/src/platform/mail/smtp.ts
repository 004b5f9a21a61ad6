import { checkServerIdentity } from 'node:tls'
import nodemailer from 'nodemailer'
import { asMessage, type Mailer, MailRefusedError } from '#platform/mail/mailer.ts'

const SECOND = 1000

/**
 * A server that checks an e-mail before it confirms takes minutes (RFC 5321, 4.5.3.2): a shorter wait would
 * deliver it again. Less than the RFC's 10 minutes: e-mails go on within 5 minutes after an outage.
 */
const IDLE_MILLISECONDS = 3 * 60 * SECOND

/** Gets the end of the certificate of the server at each connection with TLS. */
type OnCertificate = (end: Date) => void

/** The time for a connection is short, because failed e-mails are tried again. */
export function createSmtpMailer(url: string, from: string, onCertificate: OnCertificate = () => {}): Mailer {
  const transport = openTransport(url, onCertificate)
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

const openTransport = (url: string, onCertificate: OnCertificate) =>
  nodemailer.createTransport({
    url,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: IDLE_MILLISECONDS,
    dnsTimeout: 10 * SECOND,
    tls: {
      checkServerIdentity(host, certificate) {
        onCertificate(new Date(certificate.valid_to))
        return checkServerIdentity(host, certificate)
      },
    },
  })

/** Throws without a response or when the login is refused. Returns the certificate's end; null: no TLS. */
export async function checkSmtp(url: string): Promise<Date | null> {
  let certificateEnd: Date | null = null
  const transport = openTransport(url, (end) => (certificateEnd = end))
  await transport.verify().finally(() => transport.close())
  return certificateEnd
}
