/**
 * `veridict migrate [--finish]`: migrates the database, as the portal does at every start; with `--finish`
 * also what removes or renames. Exit code 1 if it could not.
 */
import { parseArgs } from 'node:util'
import { printLine } from '#commands/print-line.ts'
import { migrate } from '#platform/database/migrate.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { readEnv } from '#env.ts'
import { version } from '#version.ts'

try {
  const { values } = parseArgs({ options: { finish: { type: 'boolean', default: false } } })
  const { ahead, unfinished } = await useStoredDatabase(readEnv(process.env), (url) => migrate(url, values))
  const added = ahead.map((migration) => `${migration.version} has added ${migration.name}`)
  await printLine(
    ahead.length === 0
      ? 'The database is up to date.'
      : `The database is ahead of this version (${version}), which works with it: ${added.join(', ')}.`,
  )
  if (unfinished.length > 0)
    await printLine(`Once no older version runs, "veridict migrate --finish" runs ${unfinished.join(', ')}.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
