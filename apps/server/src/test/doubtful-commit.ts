import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

export type DoubtfulCommit = {
  /** The database by way of a line that breaks as soon as a commit is asked for. */
  url: string
  /** Lets that commit reach the database after all, where it succeeds. */
  arrive(): void
  close(): Promise<void>
}

/** A line to the database at `url` on which a commit is sent, its sender is cut off, and the commit arrives late. */
export async function doubtfulCommit(url: string): Promise<DoubtfulCommit> {
  const arrivals: (() => void)[] = []
  const line = createServer((client) => {
    const server = connect(Number(new URL(url).port), new URL(url).hostname)
    client.on('error', () => {}).on('close', () => arrivals.length > 0 || server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy())
    server.pipe(client)
    client.on('data', (data) => {
      if (!data.includes('commit\0')) return void server.write(data)
      arrivals.push(() => server.end(data))
      client.destroy()
    })
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const through = new URL(url)
  through.port = String((line.address() as AddressInfo).port)
  return {
    url: through.href,
    arrive: () => arrivals.forEach((arrive) => arrive()),
    close: async () => void (await once(line.close(), 'close')),
  }
}
