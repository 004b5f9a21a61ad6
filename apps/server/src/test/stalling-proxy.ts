import type { Socket } from 'node:net'
import { createTcpProxy } from '#test/tcp-proxy.ts'

export type StallingProxy = {
  /** The database by way of lines that can go dead. */
  url: string
  /** All lines of now carry nothing any more, and none of their ends is told; later ones are as before. */
  swallow(): void
  close(): Promise<void>
}

/** Lines to the database at `url` that can go dead without a sign, as when a firewall forgets them. */
export async function createStallingProxy(url: string): Promise<StallingProxy> {
  const ends = new Set<Socket>()
  let lines: { isDead: boolean }[] = []
  const way = await createTcpProxy(url, (client, database) => {
    const line = { isDead: false }
    lines.push(line)
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      ends.add(from)
      from.on('error', () => {})
      from.on('data', (data) => line.isDead || to.write(data))
      from.on('close', () => line.isDead || to.destroy())
    }
  })
  return {
    url: way.url,
    swallow() {
      for (const line of lines) line.isDead = true
      lines = []
    },
    async close() {
      for (const end of ends) end.destroy()
      await way.close()
    },
  }
}
