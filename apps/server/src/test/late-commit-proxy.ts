import { createTcpProxy } from '#test/tcp-proxy.ts'

export type LateCommitProxy = {
  /** The database by way of a line that breaks as soon as a commit is asked for. */
  url: string
  /** Lets that commit reach the database after all, where it succeeds. */
  arrive(): void
  close(): Promise<void>
}

/**
 * A line to the database at `url` on which a commit is sent, its sender is cut off, and the commit arrives
 * late.
 */
export async function createLateCommitProxy(url: string): Promise<LateCommitProxy> {
  const arrivals: (() => void)[] = []
  const line = await createTcpProxy(url, (client, server) => {
    client.on('error', () => {}).on('close', () => arrivals.length > 0 || server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy())
    server.pipe(client)
    client.on('data', (data) => {
      if (!data.includes('commit\0')) return void server.write(data)
      arrivals.push(() => server.end(data))
      client.destroy()
    })
  })
  return { ...line, arrive: () => arrivals.forEach((arrive) => arrive()) }
}
