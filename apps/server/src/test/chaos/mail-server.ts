import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { ReceivedMail } from '#test/chaos/invariants.ts'

/** Where an e-mail is: its sender is named, all of it was received, or the sender was told so. */
export type MailStep = 'begun' | 'received' | 'confirmed'

/** A mail server that keeps what it takes. */
export type MailServer = {
  url: string
  /** Called at every step; the conversation goes on when it has returned. */
  onStep: (step: MailStep) => void
  close(): void
}

/** E-mails go to `received` as soon as they are complete, whether or not their sender hears of it. */
export async function startMailServer(received: ReceivedMail[]): Promise<MailServer> {
  const server = createServer((socket) => converse(socket, received, (step) => mailServer.onStep(step)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onStep: () => {},
    close: () => void server.close(),
  }
  return mailServer
}

function converse(socket: Socket, received: ReceivedMail[], onStep: (step: MailStep) => void): void {
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

/** A header may go on in the next line, after a space. */
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
