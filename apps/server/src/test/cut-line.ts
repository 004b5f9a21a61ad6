import type { Socket } from 'node:net'
import { localLine } from '#test/local-line.ts'

export type CutLine = {
  /** The database by way of lines that can be cut. */
  url: string
  /** Ends all lines, and every new one at once, until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Lines to the database at `url` that can be cut, as when the database is started again. */
export async function cutLine(url: string): Promise<CutLine> {
  const ends = new Set<Socket>()
  let isCut = false
  const endAll = () => ends.forEach((end) => end.destroy())
  const way = await localLine(url, (client, database) => {
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
