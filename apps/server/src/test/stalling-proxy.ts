import type { Socket } from 'node:net'
import { createTcpProxy } from '#test/tcp-proxy.ts'

export type StallingProxy = {
  /** The database through the proxy. */
  url: string
  /** The connections that exist now pass nothing on any more, not even their end. Later ones work. */
  stall(): void
  close(): Promise<void>
}

/**
 * A proxy to the database at `url` whose connections can stop working without an error, as behind a firewall.
 */
export async function createStallingProxy(url: string): Promise<StallingProxy> {
  const sockets = new Set<Socket>()
  let connections: { isDead: boolean }[] = []
  const proxy = await createTcpProxy(url, (client, database) => {
    const connection = { isDead: false }
    connections.push(connection)
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (data) => connection.isDead || to.write(data))
      from.on('close', () => connection.isDead || to.destroy())
    }
  })
  return {
    url: proxy.url,
    stall() {
      for (const connection of connections) connection.isDead = true
      connections = []
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await proxy.close()
    },
  }
}
