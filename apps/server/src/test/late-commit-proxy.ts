import { createTcpProxy } from '#test/tcp-proxy.ts'

export type LateCommitProxy = {
  /** The database through the proxy, which closes the client's connection when it sends a commit. */
  url: string
  /** Passes the commit on to the database, where it succeeds. */
  passCommit(): void
  close(): Promise<void>
}

/** A proxy to the database at `url` whose client does not learn whether its commit succeeded. */
export async function createLateCommitProxy(url: string): Promise<LateCommitProxy> {
  const commits: (() => void)[] = []
  const proxy = await createTcpProxy(url, (client, server) => {
    client.on('error', () => {}).on('close', () => commits.length > 0 || server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy())
    server.pipe(client)
    client.on('data', (data) => {
      if (!data.includes('commit\0')) return void server.write(data)
      commits.push(() => server.end(data))
      client.destroy()
    })
  })
  return { ...proxy, passCommit: () => commits.forEach((pass) => pass()) }
}
