import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import { withClient } from '#platform/database/with-client.ts'
import { createEmptyDatabase } from '#test/test-database.ts'

describe('A connection of its own', () => {
  it('to a server that accepts it but never answers means that the database is down', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const config = { host: '127.0.0.1', port, connectionTimeoutMillis: 100 }
    const error = await withClient(config, async () => {}).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Error)
    expect(isDatabaseDown(error)).toBe(true)
  })

  it('ends where the work throws, even before it returns a promise', async () => {
    const database = await createEmptyDatabase()
    onTestFinished(() => database.drop())
    let used: pg.Client | undefined
    const work = (client: pg.Client) => {
      used = client
      throw new Error('fails')
    }
    await expect(withClient({ connectionString: database.url }, work)).rejects.toThrow('fails')
    await expect(used!.query('select 1')).rejects.toThrow('Client was closed')
  })
})
