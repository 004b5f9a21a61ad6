import type { AuditAction } from '@veridict/contract/model/audit-action'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import { isMigration, migrateTo } from '#platform/database/migrate.ts'
import { auditHash, findAuditChain, type HashedEntry } from '#audit/audit-chain.ts'
import { readAuditHead, writeAuditHead } from '#audit/audit-head.ts'
import { checkFiles } from '#operations/check-files.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { findAuditLag, expireAuditTrail, linkAuditTrail, setAuditRetention } from '#audit/keep-audit-trail.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { verifyAuditTrail } from '#audit/verify-audit-trail.ts'
import { createEmptyDatabase } from '#test/test-database.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const migrations = readdirSync(new URL('../platform/database/migrations/', import.meta.url))
  .filter(isMigration)
  .map((file) => basename(file, '.sql'))

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
  await retain(400)
})
afterAll(() => portal.close())

/** As a superuser of the database, whom no trigger stops. */
const pastThePortal = (...statements: string[]) =>
  portal.owner.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const statement of statements) await sql.raw(statement).execute(trx)
  })

const add = (count: number, daysAgo = 0) =>
  portal.owner.transaction().execute(async (trx) => {
    for (let number = 0; number < count; number++)
      await recordAudit({ action: 'link.sent', subject: `p${number}@example.test` }, trx, portal.deps)
    if (daysAgo === 0) return
    await sql`set local session_replication_role = replica`.execute(trx)
    const at = sql<Date>`now() - make_interval(days => ${daysAgo})`
    await trx.updateTable('auditEntries').set({ at }).where('place', 'is', null).execute()
  })

const retain = (days: number) => setAuditRetention(portal.deps.env.databaseUrl, days)
const link = () => linkAuditTrail(portal.deps)
const timeOf = async (place: number) =>
  (
    await portal.owner
      .selectFrom('auditEntries')
      .where('place', '=', place)
      .select('at')
      .executeTakeFirstOrThrow()
  ).at
const entryOf = (action: AuditAction) =>
  portal.owner.selectFrom('auditEntries').where('action', '=', action).selectAll().executeTakeFirstOrThrow()
const verify = () => verifyAuditTrail(portal.deps.db)

beforeEach(async () => {
  await pastThePortal(
    'truncate audit_entries restart identity',
    `update audit_chain set removed_place = 0, removed_hash = '', last_place = 0, last_hash = '',
      removed_from = null, removed_to = null`,
  )
})

describe('The chain of the audit trail', () => {
  it('lets a server start while another one links for long', async () => {
    await portal.owner.transaction().execute(async (trx) => {
      await trx.selectFrom('auditChain').selectAll().forUpdate().execute()
      await retain(400)
    })
  })

  it('holds while several processes add and link', async () => {
    await Promise.all([add(40), link(), add(40), link(), add(40), link(), link()])
    await Promise.all([link(), link(), link()])
    expect(await verify()).toMatchObject({ entries: 120, unlinked: 0, fault: null })
  })

  it('has all linked entries in its index of words, none in the pending list of each search', async () => {
    const flush = async () => {
      const pages = sql<{ pages: number }>`
        select gin_clean_pending_list('audit_entries_linked_words')::integer as pages`
      return (await pages.execute(portal.owner)).rows[0]?.pages
    }
    await add(200)
    await pastThePortal(`update audit_entries set place = id, hash = ''`)
    expect(await flush()).toBeGreaterThan(1)
    await pastThePortal('truncate audit_entries restart identity')
    await add(200)
    await link()
    expect(await flush()).toBe(0)
  })

  it('tells how long its oldest entry waits to be linked', async () => {
    await link()
    expect(await findAuditLag(portal.deps.db)).toBe(0)
    await add(2, 1)
    expect(await findAuditLag(portal.deps.db)).toBeGreaterThan(86_000)
    await link()
    expect(await findAuditLag(portal.deps.db)).toBe(0)
  })

  it('has an entry that was committed after later ones', async () => {
    const { db } = portal.deps
    await inTransaction(db, async (trx) => {
      await recordAudit({ action: 'link.sent', subject: 'slow' }, trx, portal.deps)
      await add(3)
      await link()
      expect(await verify()).toMatchObject({ entries: 3, unlinked: 0, fault: null })
    })
    expect(await verify()).toMatchObject({ entries: 3, unlinked: 1, fault: null })
    await link()
    expect(await verify()).toMatchObject({ entries: 4, unlinked: 0, fault: null })
  })

  it.for([
    {
      why: 'a changed entry',
      statements: [`update audit_entries set subject = 'other' where place = 3`],
      fault: /breaks at entry 3 of .* is not as it was written/,
    },
    {
      why: 'another time',
      statements: [`update audit_entries set at = at - interval '1 ms' where place = 5`],
      fault: /breaks at entry 5 of/,
    },
    {
      why: 'a changed detail',
      statements: [`update audit_entries set detail = '{"after":{"a":1}}' where place = 6`],
      fault: /breaks at entry 6 of/,
    },
    {
      why: 'a deleted entry',
      statements: [`delete from audit_entries where place = 4`],
      fault: /^An entry is missing at place 4, before entry 5/,
    },
    {
      why: 'a deleted entry whose place was closed up',
      statements: [
        `delete from audit_entries where place = 4`,
        `update audit_entries set place = place - 100 where place > 4`,
        `update audit_entries set place = place + 99 where place < 0`,
        `update audit_chain set last_place = last_place - 1`,
      ],
      fault: /breaks at entry 5 of/,
    },
    {
      why: 'the oldest ones deleted',
      statements: [`delete from audit_entries where place < 3`],
      fault: /^An entry is missing at place 1/,
    },
    {
      why: 'the newest ones deleted',
      statements: [`delete from audit_entries where place > 8`],
      fault: /^The last 2 entries are missing, after place 8/,
    },
    {
      why: 'all deleted',
      statements: [`delete from audit_entries`],
      fault: /^The last 10 entries are missing/,
    },
    {
      why: 'one put in between',
      statements: [
        `update audit_entries set place = place + 100 where place > 4`,
        `update audit_entries set place = place - 99 where place > 100`,
        `insert into audit_entries (action, subject, place, hash) values ('link.sent', 'x', 5, 'abc')`,
        `update audit_chain set last_place = last_place + 1`,
      ],
      fault: /breaks at entry 11 of/,
    },
    {
      why: 'one put at the end',
      statements: [
        `insert into audit_entries (action, subject, place, hash) values ('link.sent', 'x', 11, 'abc')`,
      ],
      fault: /breaks at entry 11 of/,
    },
    {
      why: 'two exchanged',
      statements: [
        `update audit_entries set place = -1 where place = 2`,
        `update audit_entries set place = 2 where place = 3`,
        `update audit_entries set place = 3 where place = -1`,
      ],
      fault: /breaks at entry 3 of/,
    },
  ])('does not hold with $why', async ({ statements, fault }) => {
    await add(10)
    await link()
    await pastThePortal(...statements)
    expect((await verify()).fault).toMatch(fault)
  })

  it('holds after the oldest entries were deleted by their age', async () => {
    await add(20, 500)
    await add(5)
    await link()
    const day = (at: Date | null) => at?.toISOString().slice(0, 10)
    const [from, to] = [await timeOf(1), await timeOf(20)].map(day)
    expect(await expireAuditTrail(portal.deps)).toBe(20)
    const proof = await verify()
    // The entry about what was removed is not linked yet.
    expect(proof).toMatchObject({ entries: 5, unlinked: 1, removed: { entries: 20 }, fault: null })
    expect([proof.removed.from, proof.removed.to].map(day)).toEqual([from, to])
    const { detail } = await entryOf('audit.expired')
    expect(detail).toEqual({
      after: { entries: 20, from: proof.removed.from?.toISOString(), to: proof.removed.to?.toISOString() },
    })
    const oldest = sql<{ id: number }>`select min(id) as id from audit_entries`
    expect((await oldest.execute(portal.deps.db)).rows).toEqual([{ id: 21 }])
  })

  it('keeps what follows an entry that is not old enough, and the last 30 days always', async () => {
    await add(2, 10)
    await link()
    await add(3, 500)
    await link()
    await expireAuditTrail(portal.deps)
    expect((await verify()).entries).toBe(5)
    await expect(retain(29)).rejects.toThrow('audit_chain_retention_days_check')
  })

  it('has hashes of the database that are those of the portal, whatever an entry says', async () => {
    for (const [subject, value] of [
      ['', ''],
      ['"\\/\b\f\n\r\t\u0001\u001f\u007f', '\u2028\u2029\ufeff'],
      ['zoë 😀 ﹫', '\\u0041 {"a":[1.50,1e3,-0,null]}'],
    ] as const) {
      const detail = { before: { a: value, b: 1.5, c: null, d: ['x', value] }, after: {} }
      const caller = { actor: { id: 1, email: subject }, companyId: null, address: value }
      await recordAudit({ action: 'link.sent', subject, detail }, portal.deps.db, { caller })
    }
    await link()
    expect(await verify()).toMatchObject({ entries: 3, unlinked: 0, fault: null })
  })

  it('has a change of its retention, which only the owner can make', async () => {
    await retain(60)
    expect(await entryOf('retention.changed')).toMatchObject({
      actorId: null,
      detail: { before: { days: 400 }, after: { days: 60 } },
    })
    await retain(400)
  })

  it('is logged, a line for each entry once, without what was tried at a login', async () => {
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
    const tried = { action: 'login.failed', subject: 'tried@example.test' } as const
    const caller = { actor: null, companyId: null, address: '203.0.113.7' }
    await recordAudit(tried, portal.deps.db, { caller })
    await Promise.all([1, 2, 3].map(() => linkAuditTrail({ ...portal.deps, log })))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'audit',
      action: 'login.failed',
      outcome: 'failure',
      address: '203.0.113.7',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(lines[0]).not.toContain('tried@example.test')
  })
})

describe('With the role of the portal, an attacker', () => {
  const attack = (statement: string) => sql.raw(statement).execute(portal.deps.db)

  it.for([
    { why: 'remove entries', statement: 'select audit_remove_oldest(30, 1000000)' },
    { why: 'remove them with the new function', statement: 'select audit_expire(null)' },
    { why: 'give hashes', statement: `select audit_link(0, array[1, 2, 3], array['00', '00', '00'])` },
    { why: 'skip entries', statement: `select audit_link(0, array[2, 3], array['00', '00'])` },
    { why: 'change their order', statement: `select audit_link(0, array[3, 2, 1], array['0', '0', '0'])` },
    { why: 'link all at once', statement: 'select audit_link_next(null)' },
    {
      why: 'pretend that a clock jumped',
      statement: `insert into marks values ('clockBeat', now() + interval '10 years')
        on conflict (name) do update set at = excluded.at; select audit_expire(1000)`,
    },
  ])('cannot $why', async ({ statement }) => {
    await add(160, 60)
    await attack(statement)
    await link()
    await attack(statement).catch(() => {})
    expect(await verify()).toMatchObject({ entries: 160, unlinked: 0, removed: { entries: 0 }, fault: null })
  })

  it.for([
    'update audit_chain set retention_days = 30',
    'update audit_chain set removed_place = 100, removed_to = now()',
    `insert into audit_entries (action, subject, at) values ('link.sent', 'x', now() - interval '1 year')`,
    `update audit_entries set place = 1, hash = 'x' where place is null`,
    'alter function audit_hash owner to current_user',
    'create or replace function audit_expire(integer) returns integer language sql as $$ select 1 $$',
  ])('cannot %s', async (statement) => {
    await add(1)
    await expect(attack(statement)).rejects.toThrow(/permission denied|must be owner/)
  })

  it('cannot bring functions of its own into those of the owner', async () => {
    await add(3)
    await sql`grant create on schema public to public`.execute(portal.owner)
    await attack(`create function public.to_json(text) returns json language sql as $$ select '"x"'::json $$`)
    await link()
    expect(await verify()).toMatchObject({ entries: 3, fault: null })
  })
})

describe('A chain of the version before', () => {
  it('holds after the upgrade, and while that version goes on', async () => {
    const database = await createEmptyDatabase()
    const db = openDatabase(database.url)
    try {
      const [last = '', ...before] = migrations.filter((name) => name <= '0029-proofs').toReversed()
      await migrateTo(database.url, before)
      const insert = (subject: string) =>
        sql`insert into audit_entries (action, subject) values ('link.sent', ${subject})`.execute(db)
      const linkAsBefore = async () => {
        const { rows } = await sql<HashedEntry>`
          select *, detail::text as detail from audit_entries where place is null order by id
        `.execute(db)
        const { lastPlace, lastHash } = await findAuditChain(db)
        let hash = lastHash
        const hashes = rows.map((entry) => (hash = auditHash(hash, entry)))
        const ids = rows.map(({ id }) => id)
        const linked = await sql<{ done: boolean }>`
          select audit_link(${lastPlace}, ${ids}::bigint[], ${hashes}::text[]) as done`.execute(db)
        expect([linked.rows[0]?.done, (await findAuditChain(db)).lastHash]).toEqual([true, hash])
      }
      await insert('a')
      await insert('zoë')
      await linkAsBefore()
      expect(await verifyAuditTrail(db)).toMatchObject({ entries: 2, fault: null })
      await migrateTo(database.url, [...before, last])
      await insert('c')
      await linkAsBefore()
      await insert('d')
      await linkAuditTrail({ db, log: pino({ level: 'silent' }) })
      expect(await verifyAuditTrail(db)).toMatchObject({ entries: 4, unlinked: 0, fault: null })
    } finally {
      await db.destroy()
      await database.drop()
    }
  })
})

describe('A head of the trail', () => {
  const headOfToday = async () => {
    const path = `.audit-heads/${new Date().toISOString().slice(0, 10)}.json`
    await portal.deps.storage.delete(path)
    await Promise.all([1, 2, 3].map(() => writeAuditHead(portal.deps)))
    return Buffer.concat(await Array.fromAsync(portal.deps.storage.read(path))).toString()
  }
  const read = (text: string) => readAuditHead(text) ?? expect.fail('no head')
  const faultWith = async (text: string) => (await verifyAuditTrail(portal.deps.db, read(text))).fault

  it('is written once a day, signed, and fits a trail that goes on', async () => {
    await add(5)
    const head = await headOfToday()
    expect(read(head)).toMatchObject({ portal: portal.deps.env.publicUrl, place: 5, removedByRetention: 0 })
    await add(5)
    await writeAuditHead(portal.deps)
    expect(await faultWith(head)).toBeNull()
    const check = await checkFiles(portal.deps, { repair: false })
    expect(check.findings).toEqual([])
  })

  it.for([
    {
      why: 'a trail that was set back to an older state',
      statements: [
        'delete from audit_entries where place > 3',
        `update audit_chain set last_place = 3, last_hash = (select hash from audit_entries where place = 3)`,
      ],
      fault: /^The trail was set back: it has 3 entries, and had 5/,
    },
    {
      why: 'a trail whose owner calculated all hashes anew',
      statements: [
        `update audit_entries set subject = 'other' where place = 2`,
        'update audit_entries set place = null, hash = null',
        `update audit_chain set last_place = 0, last_hash = ''`,
        'select audit_link_next(null)',
      ],
      fault: /^The trail was written anew: its entry at place 5 is not the one of the head/,
    },
    {
      why: 'a trail whose entries seem to have expired',
      statements: [
        'delete from audit_entries',
        `update audit_chain set removed_place = 6, last_place = 6, removed_hash = last_hash`,
      ],
      fault: /^The entries up to the head of .* were deleted before their retention ended/,
    },
  ])('shows $why', async ({ statements, fault }) => {
    await add(5)
    const head = await headOfToday()
    await pastThePortal(...statements)
    expect((await verify()).fault).toBeNull()
    expect(await faultWith(head)).toMatch(fault)
  })

  it('is not accepted after a change, of another portal, or with another key', async () => {
    await add(5)
    const head = read(await headOfToday())
    const changed = { ...head, place: 4 }
    expect(await faultWith(JSON.stringify(changed))).toMatch(/^The head was changed/)
    expect(await faultWith(JSON.stringify({ ...head, storage: 'other' }))).toMatch(
      /belongs to another portal/,
    )
    await portal.owner.deleteFrom('receiptKeys').execute()
    expect(await faultWith(JSON.stringify(head))).toMatch(/does not have the key any more/)
    expect(readAuditHead(JSON.stringify({ ...head, extra: 1 }))).toBeNull()
  })
})
