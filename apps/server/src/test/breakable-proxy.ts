import type { Socket } from 'node:net'
import { createTcpProxy } from '#test/tcp-proxy.ts'

export type BreakableProxy = {
  /** The database by way of lines that can be cut. */
  url: string
  /** Ends all lines, and every new one at once, until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Lines to the database at `url` that can be cut, as when the database is started again. */
export async function createBreakableProxy(url: string): Promise<BreakableProxy> {
  const ends = new Set<Socket>()
  let isCut = false
  const endAll = () => ends.forEach((end) => end.destroy())
  const way = await createTcpProxy(url, (client, database) => {
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      ends.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
    if (isCut) client.destroy()
  })
  return {
    url: way.url,
    cut() {
      isCut = true
      endAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      endAll()
      await way.close()
    },
  }
}
