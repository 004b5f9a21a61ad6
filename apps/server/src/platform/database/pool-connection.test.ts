import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { runDeferred, runPrepared } from '#platform/database/prepared-statements.ts'
import { asyncCommit, inTransaction } from '#platform/database/transaction.ts'
import type { Db } from '#platform/database/tables.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let database: TestDatabase
let db: Db
/** Another connection. */
let other: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url)
  other = openDatabase(database.url)
})
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()])
  await database.drop()
})
beforeEach(async () => {
  await sql
    .raw('drop table if exists notes; create table notes (id int primary key, note text)')
    .execute(other)
})

const note = (id: number) => sql`insert into notes (id, note) values (${id}, 'x')`
const wrong = sql`insert into notes (id, note) values (${1}::int / ${0}::int, 'x')`
const lock = sql`select id from notes where id > ${0} for update`
const notes = sql<{ id: number }>`select * from notes where id > ${0} order by id`
const stored = async () => (await notes.execute(other)).rows.map(({ id }) => id)

describe('Deferred statements', () => {
  it('have their result where the same statement is not deferred', async () => {
    await note(1).execute(other)
    await inTransaction(db, async (trx) => {
      await runDeferred(trx, notes)
      expect(await runPrepared(trx, notes)).toMatchObject([{ id: 1 }])
    })
  })

  it('are stored by the commit, in their order with the others', async () => {
    await inTransaction(db, async (trx) => {
      await runDeferred(trx, note(1))
      expect(await runPrepared(trx, notes)).toMatchObject([{ id: 1, note: 'x' }])
      await runDeferred(trx, note(2))
      await lock.execute(trx)
      await runDeferred(trx, note(3))
      await runDeferred(trx, note(4))
    })
    expect(await stored()).toEqual([1, 2, 3, 4])
  })

  it.each([
    ['the next statement', 'division by zero', 'aborted'],
    ['the commit', 'division by zero', ''],
    ['the rollback', 'division by zero', 'thrown by the work'],
  ])('fail %s, and nothing is stored', async (when, message, afterwards) => {
    const work = inTransaction(db, async (trx) => {
      await note(1).execute(trx)
      await runDeferred(trx, note(2))
      await runDeferred(trx, wrong)
      await runDeferred(trx, note(3))
      if (when === 'the rollback') throw new Error(afterwards)
      if (when === 'the commit') return
      await expect(lock.execute(trx)).rejects.toThrow(message)
      await runDeferred(trx, note(4))
      await lock.execute(trx)
    })
    await expect(work).rejects.toThrow(when === 'the next statement' ? afterwards : message)
    expect(await stored()).toEqual([])
    await runDeferred(db, note(5))
    expect(await stored()).toEqual([5])
  })

  it('fail the commit although the work caught their error', async () => {
    const work = inTransaction(db, async (trx) => {
      await runDeferred(trx, note(1))
      await runDeferred(trx, wrong)
      await expect(lock.execute(trx)).rejects.toThrow('division by zero')
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await stored()).toEqual([])
  })

  it('run again with their transaction after a migration changed their columns', async () => {
    await runDeferred(db, note(1))
    const unread = sql`select * from notes where id >= ${0}`
    const adding = () =>
      inTransaction(db, async (trx) => {
        await runDeferred(trx, unread)
        await runDeferred(trx, note((await stored()).length + 1))
      })
    await adding()
    await sql.raw('alter table notes add column added int default 7').execute(other)
    await adding()
    expect(await stored()).toEqual([1, 2, 3])
  })

  it('are stored although a later value could not be sent', async () => {
    const unsendable = {
      toPostgres() {
        throw new Error('unsendable')
      },
    }
    const work = inTransaction(db, async (trx) => {
      await runDeferred(trx, note(1))
      await expect(sql`select ${unsendable}::int`.execute(trx)).rejects.toThrow('unsendable')
      await runDeferred(trx, note(2))
      await lock.execute(trx)
      if ((await stored()).length > 0) throw new Error('committed too early')
    })
    await work
    expect(await stored()).toEqual([1, 2])
  })

  it('let the event loop go on before thousands are sent', async () => {
    let hasGoneOn = false
    await inTransaction(db, async (trx) => {
      setImmediate(() => (hasGoneOn = true))
      for (let id = 1; id <= 2000; id++) await runDeferred(trx, note(id))
      expect(hasGoneOn).toBe(true)
    })
    expect(await stored()).toHaveLength(2000)
  })

  it('run at once without a transaction', async () => {
    await runDeferred(db, note(1))
    expect(await stored()).toEqual([1])
    await expect(runDeferred(db, note(1))).rejects.toMatchObject({ code: '23505' })
  })
})

describe('Prepared statements', () => {
  it('return the columns that a migration of another server adds', async () => {
    await note(1).execute(db)
    expect(await runPrepared(db, notes)).toEqual([{ id: 1, note: 'x' }])
    await sql.raw('alter table notes add column added int default 7').execute(other)
    expect(await runPrepared(db, notes)).toEqual([{ id: 1, note: 'x', added: 7 }])
    await sql.raw('alter table notes drop column added').execute(other)
    const read = inTransaction(db, async (trx) => {
      await runPrepared(trx, note(2))
      return runPrepared(trx, notes)
    })
    expect(await read).toEqual([
      { id: 1, note: 'x' },
      { id: 2, note: 'x' },
    ])
  })

  it('run after a transaction in which a statement before them failed', async () => {
    const first = sql<{ sum: number }>`select ${1}::int + ${2}::int as sum`
    const work = inTransaction(db, async (trx) => {
      await runPrepared(trx, wrong)
      await runPrepared(trx, first)
    })
    await expect(work).rejects.toThrow('division by zero')
    expect(await runPrepared(db, first)).toEqual([{ sum: 3 }])
  })

  it('return each type as other statements do', async () => {
    const all = sql`select 5000000000::bigint as big, null::text as none, ${['a', 'b']}::text[] as list,
      ${'{"a":1}'}::jsonb as json, ${new Date(0)}::timestamptz as time, ${Buffer.from('x')}::bytea as bytes`
    const { rows } = await all.execute(db)
    expect(await runPrepared(db, all)).toEqual(rows)
    expect(await runPrepared(db, all)).toEqual(rows)
    expect(rows).toMatchObject([{ big: 5_000_000_000, none: null, list: ['a', 'b'], json: { a: 1 } }])
  })
})

it('A serializable transaction is serializable', async () => {
  const transaction = db.transaction().setIsolationLevel('serializable')
  const level = await transaction.execute((trx) =>
    runPrepared(trx, sql<{ level: string }>`select current_setting('transaction_isolation') as level`),
  )
  expect(level).toEqual([{ level: 'serializable' }])
})

it('A statement with an asynchronous commit does not wait for the disk, and the next one does', async () => {
  // The database of the tests never waits.
  const synced = openDatabase(`${database.url}?options=${encodeURIComponent('-c synchronous_commit=on')}`)
  const inserted = async (condition: RawBuilder<unknown>) => {
    const settings = sql<{ sync: string }>`
      insert into notes (id) select count(*) from notes where ${condition}
      returning current_setting('synchronous_commit') as sync`
    return (await settings.execute(synced)).rows
  }
  expect(await inserted(asyncCommit)).toEqual([{ sync: 'off' }])
  expect(await inserted(sql`true`)).toEqual([{ sync: 'on' }])
  await synced.destroy()
})
