import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { expireAuditTrail } from '#services/audit/expire-audit-trail.ts'
import { linkAuditTrail } from '#services/audit/link-audit-trail.ts'
import { recordAudit } from '#services/audit/record-audit.ts'
import { verifyAuditTrail } from '#services/audit/verify-audit-trail.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
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

const link = () => linkAuditTrail(portal.deps)
const verify = () => verifyAuditTrail(portal.deps.db)

beforeEach(async () => {
  await pastThePortal(
    'truncate audit_entries restart identity',
    `update audit_chain set removed_place = 0, removed_hash = '', last_place = 0, last_hash = ''`,
  )
})

describe('The chain of the audit trail', () => {
  it('holds while several processes add and link', async () => {
    await Promise.all([add(40), link(), add(40), link(), add(40), link(), link()])
    await Promise.all([link(), link(), link()])
    expect(await verify()).toEqual({ entries: 120, unlinked: 0, fault: null })
  })

  it('has an entry that was committed after later ones', async () => {
    const { db } = portal.deps
    await inTransaction(db, async (trx) => {
      await recordAudit({ action: 'link.sent', subject: 'slow' }, trx, portal.deps)
      await add(3)
      await link()
      expect(await verify()).toEqual({ entries: 3, unlinked: 0, fault: null })
    })
    expect(await verify()).toEqual({ entries: 3, unlinked: 1, fault: null })
    await link()
    expect(await verify()).toEqual({ entries: 4, unlinked: 0, fault: null })
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
    await expireAuditTrail(portal.deps)
    expect(await verify()).toEqual({ entries: 5, unlinked: 0, fault: null })
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
    await expect(sql`select audit_remove_oldest(29, 10)`.execute(portal.deps.db)).rejects.toThrow('30 days')
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
