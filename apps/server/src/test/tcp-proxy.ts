import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = { url: string; close(): Promise<void> }

/**
 * A way to the database at `url` by a port of our own. Who comes there is handed on to `carry`, with a
 * connection to the database.
 */
export async function createTcpProxy(
  url: string,
  carry: (client: Socket, database: Socket) => void,
): Promise<TcpProxy> {
  const { port, hostname } = new URL(url)
  const server = createServer((client) => carry(client, connect(Number(port), hostname)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, close: async () => void (await once(server.close(), 'close')) }
}
