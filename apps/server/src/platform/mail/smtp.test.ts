import { afterEach, describe, expect, it } from 'vitest'
import { MailRefusedError, type OutgoingMail } from '#platform/mail/mailer.ts'
import { checkSmtp, createSmtpMailer } from '#platform/mail/smtp.ts'
import { certificateEnd, localhostCertificate } from '#test/localhost-certificate.ts'
import { repliesByWord, startSmtpSink, type SmtpSink } from '#test/smtp-sink.ts'

const sinks: SmtpSink[] = []
async function smtpSink(replies: Record<string, string> = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(repliesByWord(replies))
  sinks.push(sink)
  return sink
}
afterEach(() => Promise.all(sinks.splice(0).map((sink) => sink.close())))

const mail: OutgoingMail = {
  messageId: '<1@portal.example.test>',
  recipient: 'ada@example.test',
  subject: 'Accepted: a.csv',
  text: 'Hello',
  html: '<p>Hello</p>',
  sentAt: new Date('2026-05-01T12:00:00Z'),
}
const send = (url: string, change: Partial<OutgoingMail> = {}) =>
  createSmtpMailer(url, 'Veridict <v@example.test>').send({ ...mail, ...change })
const failureOf = (url: string) => send(url).catch((error: unknown) => error)

describe('The mail server', () => {
  it('gets one recipient, and the e-mail with its Message-ID', async () => {
    const { received, url } = await smtpSink()
    await send(url)
    expect(received.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.test>'])
    expect(received).toContain('Message-ID: <1@portal.example.test>')
    expect(received).toContain('Subject: Accepted: a.csv')
  })

  it.for([
    ['an address with a line break', { recipient: 'ada@example.test\r\nRCPT TO:<victim@example.test>' }],
    ['an address with a comma', { recipient: 'ada@example.test,victim@example.test' }],
    ['a subject with a header in it', { subject: 'x\r\nBcc: victim@example.test' }],
  ] as const)('never gets a second recipient from %s', async ([, change]) => {
    const { received, url } = await smtpSink()
    await send(url, change).catch(() => {})
    expect(received.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1)
    expect(received.filter((line) => /^(?:RCPT TO:<victim|Bcc:)/.test(line))).toEqual([])
  })

  it.for<{ what: string; replies: Record<string, string>; isPermanent: boolean }>([
    { what: 'an unknown recipient', replies: { RCPT: '550 no such user' }, isPermanent: true },
    { what: 'a recipient for now', replies: { RCPT: '451 try again later' }, isPermanent: false },
    { what: 'a sender for now', replies: { MAIL: '451 try again later' }, isPermanent: false },
    { what: 'its content', replies: { '.': '554 spam' }, isPermanent: true },
    { what: 'its content for now', replies: { '.': '452 disk full' }, isPermanent: false },
  ])('that refuses $what refuses this e-mail alone', async ({ replies, isPermanent }) => {
    const { url } = await smtpSink(replies)
    const failure = await failureOf(url)
    expect(failure).toBeInstanceOf(MailRefusedError)
    expect(failure).toMatchObject({ isPermanent })
  })

  it('with TLS tells when its certificate ends, at each e-mail and when asked', async () => {
    const sink = await startSmtpSink(() => null, 0, localhostCertificate)
    sinks.push(sink)
    const seen: Date[] = []
    await createSmtpMailer(sink.url, 'Veridict <v@example.test>', (end) => seen.push(end)).send(mail)
    expect(seen).toEqual([certificateEnd])
    expect(await checkSmtp(sink.url)).toEqual(certificateEnd)
    expect(await checkSmtp((await smtpSink()).url)).toBeNull()
  })

  it('that closes the connection has refused no e-mail', async () => {
    const { url } = await smtpSink({ '.': 'hang up' })
    const failure = await failureOf(url)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailRefusedError)
  })

  it('that does not exist has refused no e-mail', async () => {
    const failure = await failureOf('smtp://127.0.0.1:1')
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailRefusedError)
  })
})
