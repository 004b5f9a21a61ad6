import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { migrateTo, readMigrations } from '#platform/database/migrate.ts'
import type { Db } from '#platform/database/tables.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/test-database.ts'

/**
 * In an upgrade, and after a way back, the version before works on the new schema
 * (docs/OPERATIONS.md#a-way-back). So each migration is compared with the one before: the statements of that
 * version must still be possible.
 */
const ONLY_ADDS_SINCE = '0016'
/** Since then each migration says whether it is additive, for programs that do not know it. */
const SAID_SINCE = '0029'
const parametersOfSearch =
  'company integer, uploader integer, token integer, statuses smallint[], search text, pattern text'
const otherSearches = Object.fromEntries(
  [
    'newest_submissions(company integer, uploader integer, token integer, statuses smallint[], ' +
      'searched text, before bigint, at_most bigint)',
    'newest_audit_entries(searched text, actions text[], actor integer, company integer, ' +
      'from_at timestamp with time zone, to_at timestamp with time zone, before bigint, at_most bigint)',
  ].map((name) => [`${name} is another function`, 'it finds the same rows, in the same order']),
)
/** By additive migration: what this test finds, and why the version before works all the same. */
const harmless: Record<string, Record<string, string>> = {
  '0026-webhook-rows': Object.fromEntries(
    ['webhooks', 'webhook_deliveries'].flatMap((table) =>
      ['policy own_company', 'row-level security'].map((what) => [
        `${table} has a new ${what}`,
        'since 0014 every connection says whose rows it reads',
      ]),
    ),
  ),
  '0029-proofs': {
    'audit_link(after_place bigint, ids bigint[], hashes text[]) is another function':
      'it links the same entries with the same hashes, or returns false as it did when another process was ' +
      'faster',
    'audit_remove_oldest(days integer, at_most integer) is another function':
      'it removes what is old enough by the days that the newer version wrote, which may be none',
    'audit_refuse_change() is another function': 'only its search_path is new',
  },
  '0031-functions-of-owner': {
    'first_waiting_turn() is another function': 'only its search_path is new',
    [`search_submissions(${parametersOfSearch}) is another function`]: 'only its search_path is new',
  },
  '0048-shorter-searches': otherSearches,
  '0049-search-of-settled-rows': otherSearches,
  '0051-rarest-first': {
    ...otherSearches,
    'search_template(searched text, facets text[], sample text[]) is another function':
      'its condition also holds for all rows that are looked for, which are compared themselves',
    'spread_ids(oldest bigint, newest bigint) is another function': 'it chooses other rows of the sample',
  },
  '0052-compare-in-ascii': otherSearches,
  '0054-words-that-leave-out-most': otherSearches,
  '0055-linked-entries-at-once': {
    'audit_link_next(at_most integer) is another function': 'it links the same entries with the same hashes',
  },
  '0033-rule-books': {
    'dictionary_versions has a new trigger keeps_rule_book': 'it writes only a column that is new, too',
  },
}

type Column = { type: string; isRequired: boolean; hasDefault: boolean }
/** A condition on rows, such as a unique index; `columns` as in `Schema`. */
type Condition = { columns: string[]; definition: string }
type Effect = { table: string; name: string; definition: string }
type Schema = {
  /** By table and column. */
  columns: Map<string, Column>
  conditions: Condition[]
  /** By name and arguments. */
  functions: Map<string, string>
  /** Triggers, and policies of row-level security. */
  effects: Effect[]
}

let database: TestDatabase
let db: Db
const declared = readMigrations()
const migrations = Object.keys(declared)
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

async function readSchema(from: Db): Promise<Schema> {
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
  // Without those of extensions.
  const functions = await sql<{ name: string; definition: string }>`
    select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name,
      pg_get_functiondef(oid) as definition
    from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  `.execute(from)
  const effects = await sql<Effect>`
    select relname as "table", 'trigger ' || tgname as name, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal
    union all
    select tablename, 'policy ' || policyname, concat_ws(' ', permissive, cmd, roles::text, qual, with_check)
    from pg_policies where schemaname = 'public'
    union all
    select relname, 'row-level security', '' from pg_class
    where relnamespace = 'public'::regnamespace and relrowsecurity
  `.execute(from)
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    conditions: conditions.rows,
    functions: new Map(functions.rows.map(({ name, definition }) => [name, definition])),
    effects: effects.rows,
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
    ...[...before.functions]
      .filter(([name, definition]) => after.functions.get(name) !== definition)
      .map(([name]) => `${name} is ${after.functions.has(name) ? 'another function' : 'gone'}`),
    ...after.effects
      .filter(
        (effect) => tables.has(effect.table) && !before.effects.some((one) => isDeepStrictEqual(one, effect)),
      )
      .map(({ table, name }) => `${table} has a new ${name}`),
  ]
}

describe('A migration', () => {
  it('leaves everything that statements of the version before need', async () => {
    let before = await readSchema(db)
    const found: Record<string, string[]> = {}
    for (const name of migrations.slice(first)) {
      await migrateTo(database.url, [name])
      const after = await readSchema(db)
      if (declared[name].worksSince === null) found[name] = findObstacles(before, after).toSorted()
      before = after
    }
    const expected = Object.keys(found).map((name) => [name, Object.keys(harmless[name] ?? {}).toSorted()])
    expect(
      found,
      'A migration takes something away that the version before uses. Leave it, and remove it one version ' +
        'later, in a migration that says `works since` and not `additive`. If that version works all the ' +
        'same, say why in `harmless`.',
    ).toEqual(Object.fromEntries(expected))
    // Otherwise the comparison may see nothing.
    const { columns, conditions, functions, effects } = before
    expect([columns.size > 100, conditions.length > 30, functions.size > 1, effects.length > 5]).toEqual(
      Array(4).fill(true),
    )
  })

  it.for(migrations.filter((name) => name >= SAID_SINCE))('%s says whether it is additive', (name) => {
    const { additive, worksSince } = declared[name]
    expect(
      [additive, /^\d+\.\d+\.\d+$/.test(worksSince ?? '')].filter(Boolean),
      `migrations/${name}.sql must begin with \`-- additive\`, if the version before works on the schema ` +
        'after it, or with `-- works since <the oldest version that does>`, if it removes or renames: ' +
        'CONTRIBUTING.md#a-migration',
    ).toHaveLength(1)
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
      change: 'alter table company_dictionaries drop constraint company_dictionaries_pkey cascade',
      obstacle:
        'gone: CREATE UNIQUE INDEX company_dictionaries_pkey ON public.company_dictionaries ' +
        'USING btree (company_id, dictionary_id)',
    },
    { change: 'drop function file_name_pairs(text) cascade', obstacle: 'file_name_pairs(name text) is gone' },
    {
      change: `create or replace function file_name_pairs(name text) returns tsvector immutable
        language sql as $$ select ''::tsvector $$`,
      obstacle: 'file_name_pairs(name text) is another function',
    },
    {
      change: 'create trigger planted before insert on mails execute function audit_refuse_change()',
      obstacle: 'mails has a new trigger planted',
    },
    { change: 'alter table marks enable row level security', obstacle: 'marks has a new row-level security' },
    { change: 'create policy planted on marks using (false)', obstacle: 'marks has a new policy planted' },
  ])('fails this test with: $change', async ({ change, obstacle }) => {
    await migrateTo(database.url, migrations)
    const before = await readSchema(db)
    const planted = await db.startTransaction().execute()
    onTestFinished(() =>
      planted
        .rollback()
        .execute()
        .then(() => {}),
    )
    await sql.raw(change).execute(planted)
    expect(findObstacles(before, await readSchema(planted))).toContain(obstacle)
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
    onTestFinished(() =>
      planted
        .rollback()
        .execute()
        .then(() => {}),
    )
    await sql.raw(change).execute(planted)
    expect(findObstacles(before, await readSchema(planted))).toEqual([])
  })
})
