import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { isMigration, migrateTo } from '#db/migrate.ts'
import type { Database } from '#db/tables.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/test-database.ts'

/**
 * In an upgrade the version before works on the new schema for a while (docs/OPERATIONS.md#upgrade). So each
 * migration is compared with the one before: the statements of that version must still be possible.
 */
const ONLY_ADDS_SINCE = '0016'
/** By migration: what it took away that the version before did not use any more. */
const unused: Record<string, string[]> = {}

type Column = { type: string; isRequired: boolean; hasDefault: boolean }
/** A condition on rows, such as a unique index; `columns` as in `Schema`. */
type Condition = { columns: string[]; definition: string }
type Schema = {
  /** By table and column. */
  columns: Map<string, Column>
  conditions: Condition[]
  functions: string[]
}

let database: TestDatabase
let db: Kysely<Database>
const migrations = readdirSync(new URL('./migrations/', import.meta.url))
  .filter(isMigration)
  .map((file) => basename(file, '.ts'))
  .toSorted()
const first = migrations.findIndex((name) => name >= ONLY_ADDS_SINCE)

beforeAll(async () => {
  database = await createEmptyDatabase()
  db = openDatabase(database.url)
  await migrateTo(database.url, migrations.slice(0, first))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function readSchema(from: Kysely<Database>): Promise<Schema> {
  const columns = await sql<Column & { name: string }>`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull as is_required, atthasdef or attidentity <> '' as has_default
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  `.execute(from)
  // An expression of an index is column 0; such an index has all columns of its table here.
  const conditions = await sql<Condition>`
    with conditions as (
      select conrelid as table_id, conkey::int[] as numbers, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype in ('c', 'f', 'x') and connamespace = 'public'::regnamespace
      union all
      select indrelid, indkey::int[], pg_get_indexdef(indexrelid)
      from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and relnamespace = 'public'::regnamespace
    )
    select definition, array_agg(relname || '.' || attname) as columns
    from conditions
    join pg_class on pg_class.oid = table_id
    join pg_attribute on attrelid = table_id and attnum > 0 and (attnum = any(numbers) or 0 = any(numbers))
    group by table_id, definition
  `.execute(from)
  const functions = await sql<{ name: string }>`
    select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name
    from pg_proc where pronamespace = 'public'::regnamespace
  `.execute(from)
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    conditions: conditions.rows,
    functions: functions.rows.map(({ name }) => name),
  }
}

/** What a statement for the schema `before` may stumble over in the one `after`. */
function findObstacles(before: Schema, after: Schema): string[] {
  const tableOf = (column: string) => column.split('.')[0]
  const tables = new Set([...before.columns.keys()].map(tableOf))
  const definitions = new Set(before.conditions.map(({ definition }) => definition))
  return [
    ...[...before.columns].flatMap(([name, column]) => {
      const now = after.columns.get(name)
      if (now === undefined) return [`${name} is gone`]
      if (now.type !== column.type) return [`${name} has another type`]
      if (column.hasDefault && !now.hasDefault) return [`${name} has no default any more`]
      return now.isRequired && !column.isRequired ? [`${name} is required`] : []
    }),
    ...[...after.columns]
      .filter(([name]) => tables.has(tableOf(name)) && !before.columns.has(name))
      .flatMap(([name, { isRequired, hasDefault }]) =>
        isRequired && !hasDefault ? [`${name} is new and required`] : [],
      ),
    ...after.conditions
      .filter(({ definition }) => !definitions.has(definition))
      .filter(({ columns }) => columns.every((name) => before.columns.has(name)))
      .map(({ definition }) => `a new condition: ${definition}`),
    // For `on conflict`.
    ...before.conditions
      .filter(({ definition }) => definition.startsWith('CREATE UNIQUE INDEX'))
      .filter(({ definition }) => !after.conditions.some((condition) => condition.definition === definition))
      .map(({ definition }) => `gone: ${definition}`),
    ...before.functions.filter((name) => !after.functions.includes(name)).map((name) => `${name} is gone`),
  ]
}

describe('A migration', () => {
  it('leaves everything that statements of the version before need', async () => {
    let before = await readSchema(db)
    const found: Record<string, string[]> = {}
    for (const name of migrations.slice(first)) {
      await migrateTo(database.url, [name])
      const after = await readSchema(db)
      found[name] = findObstacles(before, after)
      before = after
    }
    expect(found).toEqual(
      Object.fromEntries(migrations.slice(first).map((name) => [name, unused[name] ?? []])),
    )
    // Otherwise the comparison may see nothing.
    expect([before.columns.size, before.conditions.length, before.functions.length]).toEqual([
      expect.toSatisfy((count: number) => count > 100),
      expect.toSatisfy((count: number) => count > 30),
      expect.toSatisfy((count: number) => count > 1),
    ])
  })

  it.for([
    { change: 'alter table mails drop column subject', obstacle: 'mails.subject is gone' },
    { change: 'alter table users rename phone to telephone', obstacle: 'users.phone is gone' },
    { change: 'drop table sessions cascade', obstacle: 'sessions.id is gone' },
    {
      change: 'alter table submissions alter bytes type numeric',
      obstacle: 'submissions.bytes has another type',
    },
    {
      change: 'alter table submissions alter user_id set not null',
      obstacle: 'submissions.user_id is required',
    },
    {
      change: 'alter table mails alter attempts drop default',
      obstacle: 'mails.attempts has no default any more',
    },
    {
      change: 'alter table companies add region text not null',
      obstacle: 'companies.region is new and required',
    },
    {
      change: `alter table companies add check (name <> 'x')`,
      obstacle: `a new condition: CHECK ((name <> 'x'::text))`,
    },
    {
      change: 'create unique index planted on mails (lower(subject))',
      obstacle: 'a new condition: CREATE UNIQUE INDEX planted ON public.mails USING btree (lower(subject))',
    },
    {
      change: 'alter table company_dictionaries drop constraint company_dictionaries_pkey',
      obstacle:
        'gone: CREATE UNIQUE INDEX company_dictionaries_pkey ON public.company_dictionaries ' +
        'USING btree (company_id, dictionary_id)',
    },
    {
      change: 'drop function file_name_pairs(text) cascade',
      obstacle: 'file_name_pairs(name text) is gone',
    },
  ])('fails this test with: $change', async ({ change, obstacle }) => {
    await migrateTo(database.url, migrations)
    const before = await readSchema(db)
    const planted = await db.startTransaction().execute()
    await sql.raw(change).execute(planted)
    expect(findObstacles(before, await readSchema(planted))).toContain(obstacle)
    await planted.rollback().execute()
  })

  it.for([
    'alter table mails add column planted text',
    'alter table mails add column planted integer not null default 0 check (planted >= 0)',
    'create table planted (id integer primary key, mail_id bigint not null)',
    'create index planted on mails (subject)',
    'alter table submissions alter user_id set default 1',
  ])('may contain: %s', async (change) => {
    await migrateTo(database.url, migrations)
    const before = await readSchema(db)
    const planted = await db.startTransaction().execute()
    await sql.raw(change).execute(planted)
    expect(findObstacles(before, await readSchema(planted))).toEqual([])
    await planted.rollback().execute()
  })
})
