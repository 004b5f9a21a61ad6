import pg from 'pg'

/** A server that hangs does not keep a start or a command waiting. */
const CONNECTION_MILLISECONDS = 10_000

/** Does `work` with a connection of its own, outside of the pool and as the user of the URL. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_MILLISECONDS, ...config })
  // A lost connection fails the query; without a listener it would also end the process.
  client.on('error', () => {})
  await client.connect()
  return Promise.try(work, client).finally(() => client.end())
}
