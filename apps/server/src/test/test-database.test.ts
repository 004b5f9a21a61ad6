import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

describe('A test database', () => {
  const opened: TestDatabase[] = []
  const clients: pg.Client[] = []

  const open = async () => {
    const database = await createTestDatabase()
    opened.push(database)
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  let first: pg.Client
  let second: pg.Client
  beforeAll(async () => {
    first = await open()
    second = await open()
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.drop()))
  })

  it('is migrated', async () => {
    const { rows } = await first.query(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    )
    expect(rows.map((row) => row.table_name)).toContain('companies')
  })

  it('belongs to one test file', async () => {
    await first.query('create table mine (x int)')
    await expect(second.query('select * from mine')).rejects.toThrow('does not exist')
  })

  it('lower-cases all letters, as the search needs', async () => {
    const { rows } = await first.query(`select lower('ÄÉŞЖ') as lowered`)
    expect(rows[0].lowered).toBe('äéşж')
  })

  it('carries notifications between connections', async () => {
    const heard = new Promise<string | undefined>((resolve) =>
      first.once('notification', (notice) => resolve(notice.payload)),
    )
    await first.query('listen news')
    await first.query(`notify news, 'hello'`)
    expect(await heard).toBe('hello')
  })

  it('can be dropped while connections are open', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    await database.drop()
    await expect(client.query('select 1')).rejects.toThrow()
  })
})
