import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, rowsOfCompany, unlimitedTables } from '#platform/database/database.ts'
import { preparePortalRole } from '#platform/database/portal-role.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Db } from '#platform/database/tables.ts'
import { buildCompany, buildCompanyToken } from '#test/factories.ts'
import { createTestApp } from '#test/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let database: TestDatabase
let db: Db
let owner: Db
beforeAll(async () => {
  database = await createTestDatabase()
  owner = openDatabase(database.url)
  db = openDatabase(database.url, { role: await preparePortalRole(database.url, console) })
  await sql.raw(twoCompanies).execute(owner)
})
afterAll(async () => {
  await Promise.all([db.destroy(), owner.destroy()])
  await database.drop()
})

/** Companies 1 and 2, each with everything that belongs to a company. */
const twoCompanies = `
  insert into companies (name, storage_folder) values ('A', 'a'), ('B', 'b');
  insert into users (role, name, email, company_id) values
    ('companyUser', 'A', 'a@example.test', 1), ('companyUser', 'B', 'b@example.test', 2);
  alter table dictionaries disable trigger user;
  alter table dictionary_versions disable trigger user;
  insert into dictionaries (name) values ('D');
  insert into dictionary_versions (dictionary_id, revision, name, field_ids, changed_at, change)
    values (1, 1, 'D', '{}', now(), '{}');
  insert into company_dictionaries (company_id, dictionary_id) values (1, 1), (2, 1);
  insert into remembered_answers (company_id, dictionary_id, kind) values (1, 1, ''), (2, 1, '');
  insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name, file_kind,
      bytes, sha256, storage_key)
    select n, n, 1, 'D', n || '.csv', 'csv', 1, '', n from generate_series(1, 2) n;
  insert into submission_moves (submission_id, to_status) values (1, 0), (2, 0);
  insert into row_reports (submission_id, row_number, total_count, errors)
    values (1, 2, 1, '[]'), (2, 2, 1, '[]');
  insert into report_faults (submission_id, number, column_position, label, error, expected)
    values (1, 0, 'A', '', '', ''), (2, 0, 'A', '', '', '');
  insert into submission_causes (submission_id, place, cause_id, cause, rows)
    values (1, 0, '', '{}', '[]'), (2, 0, '', '{}', '[]');
  insert into submission_warnings (submission_id, place, cause_id, cause, rows)
    values (1, 0, '', '{}', '[]'), (2, 0, '', '{}', '[]');
  insert into impacts (dictionary_id, dictionary_version_id, draft) values (1, 1, '{}');
  insert into impact_files (impact_id, submission_id, status_before, outcome) values (1, 1, 2, '{}');
  insert into webhooks (company_id, url, secret_salt)
    values (1, 'https://a.test', ''), (2, 'https://b.test', '');
  insert into webhook_deliveries (company_id, submission_id, message_id, body)
    values (1, 1, 'a', ''), (2, 2, 'b', '');
`
const ofSubmissions = [
  'submission_moves',
  'row_reports',
  'report_faults',
  'submission_causes',
  'submission_warnings',
]
const ofCompanies = [
  'submissions',
  'company_dictionaries',
  'remembered_answers',
  'webhooks',
  'webhook_deliveries',
]

const companiesIn = async (on: Db, table: string): Promise<number[]> => {
  const column = ofCompanies.includes(table) ? 'company_id' : 'submission_id'
  const { rows } = await sql<{ id: number }>`
    select ${sql.ref(column)} as id from ${sql.table(table)} order by 1
  `.execute(on)
  return rows.map(({ id }) => id)
}

const fail = () => {
  throw new Error('failed')
}

describe('The rows of a company', () => {
  it.for([...ofCompanies, ...ofSubmissions])(
    'are all that a statement without a scope sees: %s',
    async (table) => {
      expect(await companiesIn(rowsOfCompany(db, 1), table)).toEqual([1])
      expect(await companiesIn(rowsOfCompany(db, 2), table)).toEqual([2])
      expect(await companiesIn(rowsOfCompany(db, 3), table)).toEqual([])
      expect(await companiesIn(db, table)).toEqual([1, 2])
    },
  )

  it('are all that a statement without a scope changes', async () => {
    const ofA = rowsOfCompany(db, 1)
    const { numUpdatedRows } = await ofA.updateTable('submissions').set({ fileName: 'x' }).executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
    const { numDeletedRows } = await ofA
      .deleteFrom('rowReports')
      .where('submissionId', '=', 2)
      .executeTakeFirst()
    expect(numDeletedRows).toBe(0n)
    const fault = { submissionId: 2, number: 1, columnPosition: 'A', label: '', error: '', expected: '' }
    await expect(ofA.insertInto('reportFaults').values(fault).execute()).rejects.toThrow('row-level security')
  })

  it('are seen by each call of many at once', async () => {
    const companies = Array.from({ length: 60 }, (_, index) => (index % 2) + 1)
    const seen = companies.map((id) => companiesIn(rowsOfCompany(db, id), 'submissions'))
    expect(await Promise.all(seen)).toEqual(companies.map((id) => [id]))
  })

  it.for([
    { what: 'fails in the database', given: 'no number' },
    { what: 'cannot be sent', given: { toPostgres: () => fail() } },
  ])('stay those of the company after a statement that $what', async ({ given }) => {
    const single = openDatabase(database.url, { role: await preparePortalRole(database.url, console) })
    const ofA = rowsOfCompany(single, 1)
    const wrong = sql`select ${given}::integer as number`
    const ids = sql<{ id: number }>`select company_id as id from submissions order by 1`
    expect(await companiesIn(single, 'submissions')).toEqual([1, 2])
    await expect(wrong.execute(ofA)).rejects.toThrow()
    expect(await companiesIn(ofA, 'submissions')).toEqual([1])
    await expect(wrong.execute(rowsOfCompany(single, 2))).rejects.toThrow()
    expect(await runPrepared(ofA, ids)).toEqual([{ id: 1 }])
    await expect(inTransaction(rowsOfCompany(single, 2), (trx) => wrong.execute(trx))).rejects.toThrow()
    expect(await runPrepared(ofA, ids)).toEqual([{ id: 1 }])
    await expect(inTransaction(rowsOfCompany(single, 2), async () => fail())).rejects.toThrow('failed')
    expect(await runPrepared(ofA, ids)).toEqual([{ id: 1 }])
    await single.destroy()
  })

  it.for([
    ['search_submissions', "'%c%'"],
    ['find_submissions', "'%c%', 10"],
    ['newest_submissions', '100, 10'],
  ] as const)('are all that %s finds', async ([name, others]) => {
    const find = async (on: Db, company: number, search: string) => {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.ref(name)}(
          ${company}, null, null, '{}', ${search}, ${sql.raw(others)}) as id
      `.execute(on)
      return rows.map(({ id }) => id)
    }
    for (const search of ['c', 'cs', 'csv']) {
      expect(await find(rowsOfCompany(db, 2), 2, search)).toEqual([2])
      expect(await find(rowsOfCompany(db, 1), 2, search)).toEqual([])
      expect(await find(db, 2, search)).toEqual([2])
      expect(await find(owner, 2, search)).toEqual([2])
    }
  })

  it('do not include e-mails, links, and what administrators tried on uploads', async () => {
    for (const table of ['mails', 'passwordLinks', 'impacts', 'impactFiles'] as const)
      expect(await rowsOfCompany(db, 1).selectFrom(table).selectAll().execute()).toEqual([])
    const link = sql`insert into mails (message_id, recipient, subject, text_body, html_body)
      values ('', '', '', '', '')`
    await expect(link.execute(rowsOfCompany(db, 1))).rejects.toThrow('row-level security')
  })

  it('are none on a connection without a company', async () => {
    await db.connection().execute(async (one) => {
      await sql`select set_config('veridict.company', '', false)`.execute(one)
      expect(await companiesIn(one, 'submissions')).toEqual([])
      const found = sql`select newest_submissions(2, null, null, '{}', 'c', 100, 10)`
      expect((await found.execute(one)).rows).toEqual([])
      await sql`select set_config('veridict.company', 'all', false)`.execute(one)
    })
  })

  it('cost a statement only when the company of the connection changes', async () => {
    const single = openDatabase(database.url, { role: await preparePortalRole(database.url, console) })
    const settings = () =>
      sql<{ calls: string }>`select current_setting('veridict.company') as calls`.execute(
        unlimitedTables(single),
      )
    await companiesIn(rowsOfCompany(single, 1), 'submissions')
    expect((await settings()).rows).toEqual([{ calls: '1' }])
    await companiesIn(single, 'submissions')
    expect((await settings()).rows).toEqual([{ calls: 'all' }])
    await single.destroy()
  })
})

it('Tokens are accepted where row-level security hides those of other companies', async () => {
  // As a later version may have it, beside which this one works during an upgrade.
  const portal = await createTestApp()
  await sql`alter table company_tokens enable row level security`.execute(portal.owner)
  await sql`create policy own_company on company_tokens using (
    current_setting('veridict.company') in ('all', company_id::text))`.execute(portal.owner)
  const deps = { ...portal.deps, db: portal.owner }
  const tokenOf = async () => (await buildCompanyToken(deps, (await buildCompany(deps.db)).id)).token
  const tokens = [await tokenOf(), await tokenOf()]
  for (const as of [...tokens, ...tokens])
    expect((await portal.call('GET', '/api/FileSubmission', { as })).statusCode).toBe(200)
  await portal.close()
})
