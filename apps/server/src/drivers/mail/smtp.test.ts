import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MailRefusedError, type OutgoingMail } from '#drivers/mail/mailer.ts'
import { createSmtpMailer } from '#drivers/mail/smtp.ts'

/** A mail server of few words: answers by the first word of a line, and keeps what it heard. */
async function smtpSink(answers: Record<string, string> = {}) {
  const heard: string[] = []
  const server = createServer((socket) => converse(socket, heard, { ...standard, ...answers }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { heard, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const servers: Server[] = []
const standard: Record<string, string> = {
  EHLO: '250 sink',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  '.': '250 taken',
  QUIT: '221 bye',
}

function converse(socket: Socket, heard: string[], answers: Record<string, string>): void {
  let isData = false
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (chunk) => {
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      heard.push(line)
      if (isData && line !== '.') continue
      const answer = answers[line.split(/[ :]/)[0]] ?? '250 ok'
      isData = answer.startsWith('354')
      if (answer === 'hang up') socket.destroy()
      else socket.write(`${answer}\r\n`)
    }
  })
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

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
  it('gets one recipient, and the letter with its Message-ID', async () => {
    const { heard, url } = await smtpSink()
    await send(url)
    expect(heard.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.test>'])
    expect(heard).toContain('Message-ID: <1@portal.example.test>')
    expect(heard).toContain('Subject: Accepted: a.csv')
  })

  it.for([
    ['an address with a line break', { recipient: 'ada@example.test\r\nRCPT TO:<victim@example.test>' }],
    ['an address with a comma', { recipient: 'ada@example.test,victim@example.test' }],
    ['a subject with a header in it', { subject: 'x\r\nBcc: victim@example.test' }],
  ] as const)('never gets a second recipient from %s', async ([, change]) => {
    const { heard, url } = await smtpSink()
    await send(url, change).catch(() => {})
    expect(heard.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1)
    expect(heard.filter((line) => /^(?:RCPT TO:<victim|Bcc:)/.test(line))).toEqual([])
  })

  it.for([
    ['an unknown recipient', { RCPT: '550 no such user' }],
    ['a recipient that has to wait', { RCPT: '451 try again later' }],
    ['a content that it dislikes', { '.': '554 spam' }],
  ] as const)('that answers no to %s refuses this letter', async ([, answers]) => {
    const { url } = await smtpSink(answers)
    expect(await failureOf(url)).toBeInstanceOf(MailRefusedError)
  })

  it('that hangs up instead of answering has not refused anything', async () => {
    const { url } = await smtpSink({ '.': 'hang up' })
    const failure = await failureOf(url)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailRefusedError)
  })

  it('that is not there has not refused anything', async () => {
    const failure = await failureOf('smtp://127.0.0.1:1')
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailRefusedError)
  })
})
