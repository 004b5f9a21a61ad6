import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { portalItself } from '#platform/access/viewer.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate, readMigrations } from '#platform/database/migrate.ts'
import { changeDictionary } from '#dictionaries/dictionary-drafts.ts'
import { findVersionFields } from '#dictionaries/dictionaries.ts'
import { deleteFieldRow } from '#dictionaries/fields.ts'
import { findRowReports } from '#submissions/row-reports.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import { findPresentVersionId } from '#test/factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('Error reports of the first schema', () => {
  it('are the same after the migration', async () => {
    const old = await openFirstSchema()
    await sql.raw(firstData).execute(old)
    await migrate(database.url)
    const db = openDatabase(database.url)
    const { rows } = await findRowReports(db, 1, { PageNumber: 1, PageSize: 10 })
    const [first, second] = rows
    expect(first).toEqual({
      rowNumber: 2,
      key: [],
      totalCount: 2,
      columnValidationErrors: [wrongSum('1,5'), missingName],
    })
    expect(second).toEqual({
      rowNumber: 7,
      key: [],
      totalCount: 1,
      columnValidationErrors: [wrongSum('2,5')],
    })
    // The fault of `Sum` is stored once.
    expect(await db.selectFrom('reportFaults').selectAll().execute()).toHaveLength(2)
    await Promise.all([old.destroy(), db.destroy()])
  })
})

describe('Dictionaries of the first schema', () => {
  it('keep their versions, and their current state becomes one', async () => {
    const old = await openFirstSchema()
    await sql.raw(firstData).execute(old)
    await Promise.all([migrate(database.url), migrate(database.url)])
    const db = openDatabase(database.url)
    const versions = await db
      .selectFrom('dictionaryVersions')
      .selectAll()
      .orderBy('dictionaryId')
      .orderBy('revision')
      .execute()
    const carried = { kind: 'carriedOver' }
    const [frozenAt, changedAt] = [new Date('2026-01-05T08:00:00Z'), new Date('2026-02-01T10:00:00Z')]
    expect(versions).toMatchObject([
      {
        dictionaryId: 1,
        revision: 2,
        name: 'Old claims',
        changedAt: frozenAt,
        changedBy: null,
        change: carried,
      },
      { dictionaryId: 1, revision: 4, name: 'Claims', changedAt, changedBy: 1, change: carried },
      { dictionaryId: 2, revision: 1, name: 'Members', changedAt, changedBy: 1, change: carried },
      { dictionaryId: 3, revision: 7, name: 'Deleted', changedAt, changedBy: 1, change: carried },
      { dictionaryId: 4, revision: 1, name: 'Empty', changedAt, changedBy: null, change: carried },
    ])
    const namesOf = async (id: number) => (await findVersionFields(db, id)).map(({ name }) => name)
    const names = await Promise.all(versions.map(({ id }) => namesOf(id)))
    expect(names).toEqual([['Sum', 'Name'], ['Name', 'Amount'], ['Name'], ['Name'], []])
    expect((await findVersionFields(db, 1))[0]).toEqual({
      name: 'Sum',
      description: 'In euros',
      category: 'Money',
      required: false,
      rule: { type: 'number', scale: 2 },
    })
    // Equal fields are stored once: `Name` of four versions, and `Sum` and `Amount`.
    expect(await db.selectFrom('frozenFields').select('id').execute()).toHaveLength(3)
    expect(await db.selectFrom('submissions').select(['id', 'dictionaryVersionId']).execute()).toEqual([
      { id: 1, dictionaryVersionId: 1 },
    ])
    await changeDictionary({ db, caller: portalItself }, 1, async (draft) => ({
      result: await deleteFieldRow(draft, 2),
      change: { kind: 'reordered' },
    }))
    expect(await namesOf(await findPresentVersionId(db, { id: 1 }))).toEqual(['Name'])
    await Promise.all([old.destroy(), db.destroy()])
  })
})

/** An empty database with the schema of the first release. */
async function openFirstSchema() {
  const db = openDatabase(database.url)
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  const { statements } = readMigrations()['0001-initial']
  const up = async (trx: Kysely<unknown>) => void (await sql.raw(statements).execute(trx))
  const provider = { getMigrations: async () => ({ '0001-initial': { up } }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
  return db
}

const wrongSum = (value: string) => ({
  columnPosition: 'A',
  label: 'Sum',
  error: 'Wrong.',
  value,
  expected: 'a number',
  cause: null,
  suggestion: null,
  rule: null,
  columns: [],
})
const missingName = {
  columnPosition: 'B',
  label: 'Name',
  error: 'Missing.',
  value: '',
  expected: 'a value',
  cause: null,
  suggestion: null,
  rule: null,
  columns: [],
}

const frozenName = JSON.stringify({
  itemName: 'Name',
  description: '',
  category: '',
  ruleType: 0,
  isRequired: true,
  ruleConfig: { maxLength: 40 },
})
const frozenSum = JSON.stringify({
  itemName: 'Sum',
  description: 'In euros',
  category: 'Money',
  ruleType: 1,
  isRequired: false,
  ruleConfig: { scale: 2 },
})

/** Dictionary 1 was changed since its version was frozen, 2 was not, 3 is deleted, 4 has no fields. */
const firstData = `
  insert into companies (name, storage_folder) values ('Northwind', 'northwind');
  insert into users (role, name, email) values ('superAdmin', 'Ada Admin', 'ada@example.test');
  insert into users (role, name, email, company_id) values
    ('companyUser', 'Cleo Clerk', 'cleo@example.test', 1);
  insert into dictionaries (name, revision, updated_at, updated_by, deleted_at) values
    ('Claims', 4, '2026-02-01T10:00:00Z', 1, null), ('Members', 1, '2026-02-01T10:00:00Z', 1, null),
    ('Deleted', 7, '2026-02-01T10:00:00Z', 1, now()), ('Empty', 1, '2026-02-01T10:00:00Z', null, null);
  insert into fields (dictionary_id, position, name, name_key, required, rule_type, rule_config) values
    (1, 1, 'Name', 'name', true, 0, '{"maxLength": 40}'), (1, 2, 'Amount', 'amount', true, 1, '{}'),
    (2, 1, 'Name', 'name', true, 0, '{"maxLength": 40}'),
    (3, 1, 'Name', 'name', true, 0, '{"maxLength": 40}');
  insert into dictionary_versions (dictionary_id, revision, name, created_at, fields) values
    (1, 2, 'Old claims', '2026-01-05T08:00:00Z', '[
      ${frozenSum},
      ${frozenName}]'),
    (2, 1, 'Members', '2026-01-06T08:00:00Z', '[
      ${frozenName}]');
  insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name, file_kind,
    bytes, sha256, storage_key)
    values (1, 2, 1, 'Old claims', 'claims.csv', 'csv', 20, '', 'key');
  insert into row_reports (submission_id, row_number, total_count, errors) values
    (1, 2, 2, '${JSON.stringify([wrongSum('1,5'), missingName])}'),
    (1, 7, 1, '${JSON.stringify([wrongSum('2,5')])}'), (1, 8, 0, '[]');
`
