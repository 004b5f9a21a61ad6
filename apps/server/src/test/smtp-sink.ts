import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A reply to a line, beginning with its status; "hang up" closes the connection; null is the usual reply. */
export type SmtpReplies = (line: string) => string | null

export type SmtpSink = {
  url: string
  /** All lines, of commands and messages. */
  received: string[]
  /** The messages taken, in order. */
  taken: { recipient: string; messageId: string }[]
  replies: SmtpReplies
  close(): Promise<void>
}

/** Replies by the first word of the line. */
export const repliesByWord =
  (replies: Record<string, string>): SmtpReplies =>
  (line) =>
    replies[wordOf(line)] ?? null

const wordOf = (line: string): string => line.split(/[ :]/)[0] ?? ''
const usual: Record<string, string> = {
  EHLO: '250 sink',
  DATA: '354 go on',
  '.': '250 taken',
  QUIT: '221 bye',
}

/** A small mail server, on a port of its own unless one is given. */
export async function startSmtpSink(replies: SmtpReplies = () => null, port = 0): Promise<SmtpSink> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    serveSession(socket, sink)
  })
  const sink: SmtpSink = {
    url: '',
    received: [],
    taken: [],
    replies,
    async close() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
  await once(server.listen(port, '127.0.0.1'), 'listening')
  sink.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return sink
}

function serveSession(socket: Socket, sink: SmtpSink): void {
  let isData = false
  let recipient = ''
  let messageId = ''
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (chunk) => {
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      sink.received.push(line)
      if (!isData && line.startsWith('RCPT TO:')) recipient = line.slice('RCPT TO:<'.length, -1)
      if (isData && /^Message-ID: /i.test(line)) messageId = line.slice('Message-ID: '.length)
      if (isData && line !== '.') continue
      const reply = sink.replies(line) ?? usual[wordOf(line)] ?? '250 ok'
      isData = reply.startsWith('354')
      if (line === '.' && reply.startsWith('250')) sink.taken.push({ recipient, messageId })
      if (reply === 'hang up') socket.destroy()
      else socket.write(`${reply}\r\n`)
    }
  })
}
