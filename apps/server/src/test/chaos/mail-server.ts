import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { ReceivedMail } from '#test/chaos/invariants.ts'

/** After MAIL; after the whole message was received; after the reply to it was written. */
export type MailStep = 'begun' | 'received' | 'confirmed'

/** A mail server that keeps what it takes. */
export type MailServer = {
  url: string
  /** Called at every step; the SMTP session goes on when it has returned. */
  onStep: (step: MailStep) => void
  close(): void
}

/** Adds e-mails to `received` as soon as they are complete, also when their sender gets no reply. */
export async function startMailServer(received: ReceivedMail[]): Promise<MailServer> {
  const server = createServer((socket) => serveSession(socket, received, (step) => mailServer.onStep(step)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onStep: () => {},
    close: () => void server.close(),
  }
  return mailServer
}

function serveSession(socket: Socket, received: ReceivedMail[], onStep: (step: MailStep) => void): void {
  let message: string[] | null = null
  let rest = ''
  socket.on('error', () => {})
  socket.write('220 here\r\n')
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (message !== null && line !== '.') {
        message.push(line)
        continue
      }
      if (message !== null) {
        received.push(readMail(message))
        message = null
        onStep('received')
        socket.write('250 taken\r\n')
        onStep('confirmed')
      } else if (line.startsWith('DATA')) {
        message = []
        socket.write('354 go on\r\n')
      } else {
        if (line.startsWith('MAIL')) onStep('begun')
        socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
      }
    }
  })
}

/** A header may be continued in the next line, after a space. */
function readMail(lines: readonly string[]): ReceivedMail {
  const head = lines
    .slice(0, lines.indexOf(''))
    .join('\r\n')
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const header = (name: string) =>
    head.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  return { messageId: header('Message-ID'), subject: header('Subject') }
}
