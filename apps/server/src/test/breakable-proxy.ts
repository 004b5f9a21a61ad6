import type { Socket } from 'node:net'
import { createTcpProxy } from '#test/tcp-proxy.ts'

export type BreakableProxy = {
  /** The database through the proxy. */
  url: string
  /** Closes all connections, and every new one, until `restore`. */
  break(): void
  restore(): void
  close(): Promise<void>
}

/** A proxy to the database at `url` that can close all connections, as a restart of the database does. */
export async function createBreakableProxy(url: string): Promise<BreakableProxy> {
  const sockets = new Set<Socket>()
  let isBroken = false
  const destroyAll = () => sockets.forEach((socket) => socket.destroy())
  const proxy = await createTcpProxy(url, (client, database) => {
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
    if (isBroken) client.destroy()
  })
  return {
    url: proxy.url,
    break() {
      isBroken = true
      destroyAll()
    },
    restore() {
      isBroken = false
    },
    async close() {
      destroyAll()
      await proxy.close()
    },
  }
}
