import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = { url: string; close(): Promise<void> }

/** A TCP proxy to the database at `url`. `onConnection` gets both sockets of each connection. */
export async function createTcpProxy(
  url: string,
  onConnection: (client: Socket, database: Socket) => void,
): Promise<TcpProxy> {
  const { port, hostname } = new URL(url)
  const server = createServer((client) => onConnection(client, connect(Number(port), hostname)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxied = new URL(url)
  proxied.port = String((server.address() as AddressInfo).port)
  return { url: proxied.href, close: async () => void (await once(server.close(), 'close')) }
}
