import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelDatabase } from '#simulation/database/model-database.ts'
import { Blocked, endWait } from '#simulation/database/rows.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

/** A transaction changes a row; a statement of another waits for that. Then a third wants the row. */
type Course = { change: string; waits: string; third: string }
/** The rows that the statement found that waited, and whether the third had to wait for its transaction. */
type Ending = { found: number; isLocked: boolean }

const insertion = (name: string) => `insert into marks (name, at) values ('${name}', now())`
const toTomorrow = `update marks set at = now() + interval '1 day' where name = 'a'`
const ofToday = `name = 'a' and at < now() + interval '1 hour'`

let database: TestDatabase
const clients: pg.Client[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  for (let number = 0; number < 4; number++) {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    clients.push(client)
  }
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await database.drop()
})

async function inPostgres({ change, waits, third }: Course): Promise<Ending> {
  const [first, second, other, observer] = clients as [pg.Client, pg.Client, pg.Client, pg.Client]
  await observer.query('delete from marks')
  await observer.query(insertion('a'))
  for (const client of [first, second, other]) await client.query('begin')
  await first.query(change)
  const waiting = second.query(waits)
  const isWaiting = async () =>
    (await observer.query('select from pg_locks where not granted')).rows.length > 0
  while (!(await isWaiting()));
  await first.query('commit')
  const found = (await waiting).rowCount ?? 0
  await other.query(`set local lock_timeout = '200ms'`)
  const isLocked = await other.query(third).then(
    () => false,
    (error: { code?: string }) => error.code === '55P03',
  )
  for (const client of [second, other]) await client.query('rollback')
  return { found, isLocked }
}

function inModel({ change, waits, third }: Course): Ending {
  const now = Date.now()
  const model = new ModelDatabase(() => {})
  const run = (sql: string, transaction = model.begin(now)) => ({
    transaction,
    rows: () => model.run(sql, [], transaction, now).count,
  })
  const waitOf = (work: () => unknown): Blocked | null => {
    try {
      work()
      return null
    } catch (error) {
      if (error instanceof Blocked) return error
      throw error
    }
  }
  const [initial, first, second] = [insertion('a'), change, waits].map((sql) => run(sql)) as [Run, Run, Run]
  initial.rows()
  model.commit(initial.transaction)
  first.rows()
  const wait = waitOf(second.rows) as Blocked
  expect(endWait(wait)).toBe(false)
  model.commit(first.transaction)
  expect(endWait(wait)).toBe(true)
  const found = second.rows()
  return { found, isLocked: waitOf(run(third).rows) !== null }
}
type Run = { transaction: ReturnType<ModelDatabase['begin']>; rows: () => number }

describe('A row that was changed while a statement waited for it', () => {
  it.for([
    { why: 'by FOR UPDATE', waits: `select name from marks where ${ofToday} for update` },
    { why: 'by a change', waits: `update marks set at = now() where ${ofToday}` },
    { why: 'by a deletion', waits: `delete from marks where ${ofToday}` },
  ])('is locked although the statement no longer finds it: $why', async ({ waits }) => {
    const course = { change: toTomorrow, waits, third: toTomorrow }
    const ending = { found: 0, isLocked: true }
    expect([await inPostgres(course), inModel(course)]).toEqual([ending, ending])
  })

  it.for([
    { why: 'was deleted', change: `delete from marks where name = 'a'`, third: insertion('a'), found: 0 },
    {
      why: 'still fits',
      change: `update marks set at = now() where name = 'a'`,
      third: toTomorrow,
      found: 1,
    },
  ])('is locked if it still exists: it $why', async ({ change, third, found }) => {
    const course = { change, waits: `select name from marks where ${ofToday} for update`, third }
    const ending = { found, isLocked: found > 0 }
    expect([await inPostgres(course), inModel(course)]).toEqual([ending, ending])
  })

  it('is not locked by an INSERT that waited for its key', async () => {
    const course = {
      change: insertion('b'),
      waits: `${insertion('b')} on conflict do nothing`,
      third: `update marks set at = now() where name = 'b'`,
    }
    const ending = { found: 0, isLocked: false }
    expect([await inPostgres(course), inModel(course)]).toEqual([ending, ending])
  })
})
