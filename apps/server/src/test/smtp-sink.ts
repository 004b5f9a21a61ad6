import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** The reply to a line, with its status; 'hang up' closes the connection; null gives the default reply. */
export type SmtpReplies = (line: string) => string | null

/** begun: after MAIL. received: a message was accepted. confirmed: the reply to it was written. */
export type MailStep = 'begun' | 'received' | 'confirmed'

export type SmtpSink = {
  url: string
  /** All lines, of commands and messages. */
  received: string[]
  /** The accepted messages in order, also those whose sender got no reply. */
  acceptedMails: { recipient: string; messageId: string }[]
  replies: SmtpReplies
  /** Called at every step; the SMTP session goes on when it has returned. */
  onStep(step: MailStep): void
  close(): Promise<void>
}

/** Replies by the first word of the line. */
export const repliesByWord =
  (replies: Record<string, string>): SmtpReplies =>
  (line) =>
    replies[wordOf(line)] ?? null

const wordOf = (line: string): string => line.split(/[ :]/)[0] ?? ''
const defaultReplies: Record<string, string> = {
  EHLO: '250 sink',
  DATA: '354 go on',
  '.': '250 accepted',
  QUIT: '221 bye',
}

/** A small mail server, on a port of its own unless one is given; with a certificate it speaks TLS. */
export async function startSmtpSink(
  replies: SmtpReplies = () => null,
  port = 0,
  certificate?: { cert: string; key: string },
): Promise<SmtpSink> {
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    serveSession(socket, sink)
  }
  const server = certificate ? createTlsServer(certificate, serve) : createServer(serve)
  const sink: SmtpSink = {
    url: '',
    received: [],
    acceptedMails: [],
    replies,
    onStep() {},
    async close() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const { port: listening } = server.address() as AddressInfo
  sink.url = certificate
    ? `smtps://localhost:${listening}?tls.ca=${encodeURIComponent(certificate.cert)}`
    : `smtp://127.0.0.1:${listening}`
  return sink
}

function serveSession(socket: Socket, sink: SmtpSink): void {
  let message: string[] | null = null
  let recipient = ''
  let rest = ''
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      sink.received.push(line)
      if (message !== null && line !== '.') {
        message.push(line)
        continue
      }
      if (line.startsWith('MAIL')) sink.onStep('begun')
      recipient = /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? recipient
      const reply = sink.replies(line) ?? defaultReplies[wordOf(line)] ?? '250 ok'
      const isAccepted = message !== null && reply.startsWith('250')
      if (isAccepted) {
        sink.acceptedMails.push({ recipient, messageId: messageIdOf(message ?? []) })
        sink.onStep('received')
      }
      message = reply.startsWith('354') ? [] : null
      if (reply === 'hang up') socket.destroy()
      else socket.write(`${reply}\r\n`)
      if (isAccepted) sink.onStep('confirmed')
    }
  })
}

/** A long header is continued in the next line, after a space. */
const messageIdOf = (lines: readonly string[]): string =>
  /^Message-ID:\s+(\S+)/im.exec(lines.join('\r\n'))?.[1] ?? ''
