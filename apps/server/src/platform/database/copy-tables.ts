import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { connectionOptions, databaseOn } from '#platform/database/database.ts'
import { isOurs } from '#platform/database/portal-role.ts'
import type { Db } from '#platform/database/tables.ts'
import { withClient } from '#platform/database/with-client.ts'

/** The rows of a table, in a file with its name, as COPY writes them. */
type TableCopy = { name: string; columns: string[]; sha256: string }

/** All tables as of one moment. `sequences`: the last value of each; never less than in the tables. */
export type DatabaseCopy = {
  migrations: string[]
  tables: TableCopy[]
  sequences: { name: string; value: number }[]
}

/** A restore runs migrations, which fill the first; databases before 0.2.0 have the other, unused. */
const NOT_COPIED = ['kysely_migration', 'kysely_migration_lock']
const quoted = pg.escapeIdentifier
const fileOf = (folder: string, name: string): string => join(folder, `${name}.copy`)

/** All tables as of one moment, beside a running portal. `inSnapshot` reads more of the same moment. */
export async function copyTablesTo(
  url: string,
  folder: string,
  inSnapshot: (db: Db) => Promise<void>,
): Promise<DatabaseCopy> {
  return withClient(asBackup(url), async (client) => {
    await client.query('begin isolation level repeatable read, read only')
    const rows = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[]
    await inSnapshot(databaseOn(client))
    const migrations = await rows<{ name: string }>('select name from kysely_migration order by name')
    const tables: TableCopy[] = []
    for (const { name, columns } of await findTables(client))
      tables.push({ name, columns, sha256: await writeTable(client, name, columns, fileOf(folder, name)) })
    await client.query('commit')
    // Not part of a snapshot, so read last: a value that is too high does no harm.
    const sequences = await rows<{ name: string; value: number }>(
      `select relname as name, last_value::float8 as value
      from pg_sequences join pg_class on oid = to_regclass(format('%I.%I', schemaname, sequencename))
      where ${isOurs} and last_value is not null order by 1`,
    )
    return { migrations: migrations.map(({ name }) => name), tables, sequences }
  })
}

type Statement = { text: string; values?: unknown[] }

/** Fills a migrated database, in one transaction with `after`. Throws if a file is not the one written. */
export async function copyTablesFrom(
  url: string,
  folder: string,
  copy: DatabaseCopy,
  after: readonly Statement[],
): Promise<void> {
  await checkTableFiles(folder, copy)
  await withClient(asBackup(url), async (client) => {
    await client.query('begin')
    await withoutReferences(client, async () => {
      for (const { name, columns } of copy.tables) {
        // Some tables have rows from their migration.
        await client.query(`delete from ${quoted(name)}`)
        const target = client.query(
          copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join()}) from stdin`),
        )
        await pipeline(createReadStream(fileOf(folder, name)), target)
      }
    })
    for (const { name, value } of copy.sequences)
      await client.query('select setval($1::regclass, $2)', [quoted(name), value])
    for (const { text, values } of after) await client.query(text, values)
    await client.query('commit')
  })
}

/** Reads the files back. Throws if one is not what was written. */
export async function checkTableFiles(folder: string, { tables }: DatabaseCopy): Promise<void> {
  for (const { name, sha256 } of tables) {
    const found = createHash('sha256')
    await pipeline(createReadStream(fileOf(folder, name)), found)
    if (found.digest('hex') !== sha256) throw new Error(`The backup is damaged: ${fileOf(folder, name)}`)
  }
}

/** Runs statements in one transaction, as the user of the URL. Returns their results. */
export const runAsOwner = (url: string, statements: readonly Statement[]): Promise<pg.QueryResult[]> =>
  withClient(asBackup(url), async (client) => {
    await client.query('begin')
    const results = await Array.fromAsync(statements, ({ text, values }) => client.query(text, values))
    await client.query('commit')
    return results
  })

const asBackup = (url: string) => ({ ...connectionOptions(url), application_name: 'veridict backup' })

/** The tables to copy. Unlogged ones are left out: they only count what happened in the last minutes. */
async function findTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where ${isOurs} and relkind = 'r' and relpersistence = 'p'
      and attnum > 0 and not attisdropped and attgenerated = '' and relname <> all ($1)
    group by relname order by relname`,
    [NOT_COPIED],
  )
  return rows as { name: string; columns: string[] }[]
}

async function writeTable(
  client: pg.Client,
  name: string,
  columns: readonly string[],
  path: string,
): Promise<string> {
  const source = client.query(copyTo(`copy ${quoted(name)} (${columns.map(quoted).join()}) to stdout`))
  const hash = createHash('sha256')
  source.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  return hash.digest('hex')
}

/** Tables refer to each other, also in circles, so references are checked when all rows are there. */
async function withoutReferences(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const references = rows as { table: string; name: string; definition: string }[]
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  await work()
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
}
