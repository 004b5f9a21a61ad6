import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Db } from '#platform/database/tables.ts'
import { createRateLimits } from '#platform/admission/rate-limits.ts'
import { createBuckets, deleteEmptyBuckets, takeAttempts } from '#platform/admission/shared-buckets.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

let database: TestDatabase
/** The databases of two servers, which are the same. */
let first: Db
let second: Db
beforeAll(async () => {
  database = await createTestDatabase()
  first = openDatabase(database.url)
  second = openDatabase(database.url)
})
afterAll(async () => {
  await Promise.all([first, second].map((db) => db.destroy()))
  await database.drop()
})

let limits = 0
const limitOf = (capacity: number, leakSeconds: number) => ({
  name: `limit ${++limits}`,
  capacity,
  leakSeconds,
})
const buckets = () => createBuckets(limitOf(3, 10), first)
/** Lets so many seconds pass for the limits. */
const pass = (seconds: number) =>
  sql`update rate_limits set empties_at = empties_at - make_interval(secs => ${seconds})`.execute(first)
const allowed = (results: readonly number[]) => results.filter((seconds) => seconds === 0).length
const inTurn = async <T>(times: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let time = 0; time < times; time++) results.push(await work())
  return results
}

describe('The limits of an address', () => {
  const addresses = Array.from({ length: 200 }, (_, index) => `10.0.0.1 203.0.113.${index}`)

  it('are at most 16 for a client that invents addresses in X-Forwarded-For', async () => {
    const { loginsFromAddress, resetsFromAddress, signOnsFromAddress } = createRateLimits(
      { uploadsPerMinute: 60 },
      first,
    )
    for (const limit of [loginsFromAddress, resetsFromAddress, signOnsFromAddress]) {
      await sql`truncate rate_limits`.execute(first)
      for (const address of addresses) await limit.take(address)
      const { rows } = await sql<{ key: Buffer }>`select key from rate_limits`.execute(first)
      expect(rows.length).toBeLessThanOrEqual(16)
    }
  })

  it('are seldom shared by two people behind a proxy that is not trusted', async () => {
    const { resetsFromAddress } = createRateLimits({ uploadsPerMinute: 60 }, first)
    await inTurn(101, () => resetsFromAddress.tryTake('10.0.0.1 198.51.100.7'))
    const seconds = await Promise.all(addresses.map((address) => resetsFromAddress.tryTake(address)))
    expect(allowed(seconds)).toBeGreaterThan(170)
  })
})

describe('A leaky bucket', () => {
  it('allows a burst and then says how long to wait', async () => {
    const limit = buckets()
    expect(await inTurn(4, () => limit.tryTake('a'))).toEqual([0, 0, 0, 10])
    expect(await limit.tryTake('b')).toBe(0)
    await expect(limit.take('a')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 })
  })

  it('refuses when full, also where its leak is no round number', async () => {
    // 8077 a minute: 16154 attempts of 60 / 8077 seconds take more than the bucket holds, after rounding.
    const { capacity, leakSeconds } = limitOf(2 * 8077, 60 / 8077)
    const bucket = { key: Buffer.from('odd'), capacity, leakSeconds }
    expect(await takeAttempts(first, bucket, capacity)).toMatchObject({ granted: capacity })
    for (let time = 0; time < 3; time++)
      expect((await takeAttempts(first, bucket, 2)).granted).toBeGreaterThanOrEqual(0)
  })

  it('allows one more after each leak, and a full burst when empty', async () => {
    const limit = buckets()
    await inTurn(3, () => limit.take('a'))
    await pass(10)
    expect(await inTurn(2, () => limit.tryTake('a'))).toEqual([0, 10])
    await pass(1000)
    expect(await inTurn(4, () => limit.tryTake('a'))).toEqual([0, 0, 0, 10])
  })

  it('takes attempts back', async () => {
    const limit = buckets()
    await inTurn(10, async () => {
      await limit.take('a')
      await limit.giveBack('a')
    })
    expect(await limit.tryTake('a')).toBe(0)
    await limit.empty('a')
    expect(await inTurn(3, () => limit.tryTake('a'))).toEqual([0, 0, 0])
  })

  it('stays full after the clock was set back, for no longer than before', async () => {
    const limit = buckets()
    await inTurn(3, () => limit.take('a'))
    await pass(-500)
    expect(await limit.tryTake('a')).toBe(10)
    await pass(10)
    expect(await limit.tryTake('a')).toBe(0)
  })

  it('is one for all servers', async () => {
    const settings = limitOf(30, HOUR)
    const [one, other] = [first, second].map((db) => createBuckets(settings, db))
    const takes = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other)!.tryTake('a'))
    expect(allowed(await Promise.all(takes))).toBe(30)
  })

  it('leaves no row when it has leaked', async () => {
    const limit = buckets()
    await limit.take('a')
    const count = async () => (await first.selectFrom('rateLimits').select('key').execute()).length
    await deleteEmptyBuckets(first)
    expect(await count()).toBeGreaterThan(0)
    await pass(100 * HOUR)
    await deleteEmptyBuckets(first)
    expect(await count()).toBe(0)
  })

  it('refuses to count without its database', async () => {
    const lost = openDatabase('postgresql://veridict@127.0.0.1:1/veridict')
    const limit = createBuckets(limitOf(3, 10), lost)
    const error = await limit.tryTake('a').catch((thrown: unknown) => thrown)
    expect(isDatabaseDown(error)).toBe(true)
    await lost.destroy()
  })
})

describe('Attempts that come at once', () => {
  const buckets = (db: Db, capacity: number) => createBuckets(limitOf(capacity, HOUR), db).tryTake
  /** A database that calls `onStatement` before each statement. */
  const watched = (onStatement: () => void): Db =>
    first.withPlugin({
      transformQuery({ node }) {
        onStatement()
        return node
      },
      transformResult: async ({ result }) => result,
    })

  it('cost few statements, and are granted in their order as many as fit', async () => {
    let statements = 0
    const limit = buckets(
      watched(() => statements++),
      150,
    )
    const results = await Promise.all(Array.from({ length: 200 }, () => limit('a')))
    expect(allowed(results)).toBe(150)
    expect(allowed(results.slice(0, 150))).toBe(150)
    expect(statements).toBeLessThan(5)
  })

  it('fail while the database does, and are counted when it is back', async () => {
    let isDown = true
    const unsteady = watched(() => {
      if (isDown) throw new Error('down')
    })
    const limit = buckets(unsteady, 2)
    const failed = await Promise.allSettled([limit('a'), limit('a')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isDown = false
    expect(allowed(await inTurn(3, () => limit('a')))).toBe(2)
  })
})
