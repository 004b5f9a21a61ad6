import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordAudit, type AuditRecord } from '#audit/record-audit.ts'
import { buildCompany } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let company: { id: number; name: string }
beforeAll(async () => {
  portal = await createTestApp()
  company = await buildCompany(portal.deps.db)
})
afterAll(() => portal.close())

beforeEach(() =>
  portal.owner.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`truncate audit_entries`.execute(trx)
  }),
)

async function add(record: Partial<AuditRecord>, at?: string): Promise<void> {
  const caller = { actor: null, companyId: null, address: '203.0.113.7' }
  await recordAudit({ action: 'link.sent', subject: 'x', ...record }, portal.deps.db, { caller })
  if (at === undefined) return
  await portal.owner.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`update audit_entries set at = ${at} where id = (select max(id) from audit_entries)`.execute(trx)
  })
}

const addMany = (count: number) =>
  sql`
    insert into audit_entries (action, subject)
    select 'link.sent', 'n' || n from generate_series(1, ${count}::integer) n
  `.execute(portal.owner)

const get = (query = '') => portal.call('GET', `/api/AuditTrail${query}`, { as: portal.administrator })
const subjects = async (query: string) =>
  (await get(query)).json().value.data.map(({ subject }: { subject: string }) => subject)

describe('The audit trail', () => {
  it('is listed newest first, with who, what, where and the change', async () => {
    await add({ subject: 'first' })
    const actor = { id: portal.administrator.id, email: portal.administrator.email }
    const detail = { before: { name: 'A' }, after: { name: 'B' } }
    await add({ action: 'company.updated', subject: 'B', actor, companyId: company.id, detail })
    const { value } = (await get()).json()
    expect(value).toMatchObject({ totalCount: 2, totalPages: 1, totalIsLowerBound: false })
    expect(value.data).toMatchObject([
      {
        action: 'company.updated',
        actor,
        company: { id: company.id, name: company.name },
        subject: 'B',
        address: '203.0.113.7',
        detail,
      },
      { subject: 'first', actor: null, company: null, detail: {} },
    ])
  })

  it('is filtered', async () => {
    const actor = { id: 77, email: 'ann@example.test' }
    await add({ subject: 'old' }, '2026-03-01T23:59:59.999Z')
    await add({ subject: 'noon', action: 'login.failed' }, '2026-03-02T12:00:00Z')
    await add({ subject: '100%_done', actor, companyId: company.id }, '2026-03-03T00:00:00Z')
    const newest = ['100%_done', 'noon', 'old']
    expect(await subjects('')).toEqual(newest)
    expect(await subjects('?From=2026-03-02')).toEqual(['100%_done', 'noon'])
    expect(await subjects('?To=2026-03-02')).toEqual(['noon', 'old'])
    expect(await subjects('?From=2026-03-02T12:00:00Z&To=2026-03-02T13:00:00%2B01:00')).toEqual(['noon'])
    expect(await subjects('?action=login.failed')).toEqual(['noon'])
    expect(await subjects('?action=login.failed&action=link.sent')).toEqual(newest)
    expect(await subjects('?userid=77')).toEqual(['100%_done'])
    expect(await subjects(`?CompanyId=${company.id}`)).toEqual(['100%_done'])
    for (const text of ['100%25_', 'ANN@', company.name.slice(3), '100%25_done'])
      expect(await subjects(`?SearchText=${text}`), text).toEqual(['100%_done'])
    expect(await subjects('?SearchText=%25%25')).toEqual([])
    expect(await subjects('?PageSize=1&PageNumber=2')).toEqual(['noon'])
    for (const wrong of ['?From=yesterday', '?Action=login', '?UserId=x'])
      expect((await get(wrong)).statusCode, wrong).toBe(400)
  })

  it('counts no further than 10,000, and the pages after them can be reached', async () => {
    await addMany(10_030)
    const bounded = { totalCount: 10_000, totalPages: 1000, totalIsLowerBound: true }
    expect((await get()).json().value).toMatchObject(bounded)
    const beyond = (await get('?PageNumber=1002')).json().value
    expect(beyond).toMatchObject({ totalCount: 10_021, totalPages: 1003 })
    const last = (await get('?PageNumber=1003')).json().value
    expect(last).toMatchObject({ totalCount: 10_030, totalPages: 1003, totalIsLowerBound: false })
    expect(last.data).toHaveLength(10)
    // From entries that are a minute old, far pages are found by marks.
    await portal.owner.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`update audit_entries set at = now() - interval '1 hour' - id * interval '1 s'`.execute(trx)
    })
    for (const added of [0, 1]) {
      await addMany(added)
      const [from, size] = [1001, 10]
      const all = await subjects('?PageSize=20000')
      const far = await subjects(`?PageNumber=${from}&PageSize=${size}`)
      expect(far).toEqual(all.slice((from - 1) * size, from * size))
      expect(new Set(far).size).toBe(10)
    }
    expect((await get('?SearchText=n77&PageSize=100')).json().value).toMatchObject({
      totalIsLowerBound: false,
      totalCount: 111,
    })
  })

  it('is searched in all its slices, for any text and with every filter', async () => {
    // The last two are as far from the others as ids can be: a search passes over what lies between.
    const ids = [1, 32_768, 32_769, 65_536, 9e15, 9e15 + 1]
    const actors = [portal.administrator, portal.clerk]
    for (const [index, id] of ids.entries()) {
      const actor = { id: actors[index % 2]!.id, email: actors[index % 2]!.email }
      await sql`select setval(pg_get_serial_sequence('audit_entries', 'id'), ${id}, false)`.execute(
        portal.owner,
      )
      const action = index < 3 ? 'link.sent' : 'file.viewed'
      await add(
        { action, subject: `it's A${index}_%\\`, actor, companyId: company.id },
        `2026-01-0${index + 1}`,
      )
    }
    const all = (indexes: number[]) => indexes.map((index) => `it's A${index}_%\\`)
    const found = (text: string, filter = '') => subjects(`?SearchText=${encodeURIComponent(text)}${filter}`)
    for (const text of [
      "'",
      '%\\',
      '_',
      "IT'S a",
      "it's A",
      company.name,
      portal.administrator.email.slice(2),
    ])
      expect(await found(text, `&UserId=${portal.administrator.id}`), text).toEqual(all([4, 2, 0]))
    expect(await found('a', '&Action=link.sent&Action=file.viewed')).toEqual(all([5, 4, 3, 2, 1, 0]))
    expect(await found('a', '&Action=link.sent')).toEqual(all([2, 1, 0]))
    expect(await found('a', '&From=2026-01-02&To=2026-01-04')).toEqual(all([3, 2, 1]))
    expect(await found('a', `&CompanyId=${company.id}&PageSize=2&PageNumber=3`)).toEqual(all([1, 0]))
    for (const text of ['q', 'qq', 'a6_', 'A0_\\%']) expect(await found(text), text).toEqual([])
  })

  it('is searched without reading each entry that has some of the words of the text', async () => {
    await portal.owner.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`
        insert into audit_entries (id, action, subject, hash, place) overriding system value
        select slice * 32768 + n, 'link.sent', case n when 7 then '312@m' else '2@m 12@' end, '',
          slice * 60 + n
        from generate_series(1, 24) slice, generate_series(1, 60) n
      `.execute(trx)
    })
    const { rows } = await portal.owner.transaction().execute(async (trx) => {
      const found = sql`newest_audit_entries('312@M', '{}', null, null, null, null, ${2 ** 40}, 10001)`
      return sql<{ found: number; read: number }>`
        with found as materialized (select count(*)::integer as found from ${found})
        select found, pg_stat_get_xact_tuples_fetched('audit_entries'::regclass)::integer as read from found
      `.execute(trx)
    })
    expect(rows[0]?.found).toBe(24)
    expect(rows[0]?.read).toBeLessThan(500)
  })

  it('is exported as CSV with the same filters, so that no spreadsheet calculates it', async () => {
    await addMany(4100)
    await add({ action: 'login.failed', subject: `x;=cmd|'/C'!A0;@a.example` })
    await add({ action: 'company.updated', subject: '=1+1', detail: { before: { a: 1 }, after: { a: 'x' } } })
    const all = await get('/Export')
    expect(all.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('audit-trail.csv'),
    })
    const lines = all.body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFFTime (UTC),Person,Action,Subject,Company,Address,Before,After')
    expect(lines).toHaveLength(4104)
    expect(new Set(lines.map((line) => line.split(',')[3])).size).toBe(4104)
    // The export is in the trail itself.
    expect(lines[1]).toContain('File downloaded,Audit trail')
    expect(lines[2]).toContain(`Company changed,"'=1+1",,203.0.113.7,a: 1,a: x`)
    expect(lines[3]).toContain(`Failed login,"x;'=cmd|'/C'!A0;'@a.example",`)
    const some = await get('/Export?SearchText=n77&Action=link.sent')
    expect(some.body.trimEnd().split('\r\n')).toHaveLength(1 + 1 + 10)
  })
})
