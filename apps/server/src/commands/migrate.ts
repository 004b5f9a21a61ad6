/** `veridict migrate`: as at each start; `--finish` also removes and renames. Exit code 1 if it could not. */
import { parseArgs } from 'node:util'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { migrate } from '#platform/database/migrate.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { version } from '#version.ts'

await runCommand(1, async (env) => {
  const { values } = parseArgs({ options: { finish: { type: 'boolean', default: false } } })
  const { ahead, unfinished } = await useStoredDatabase(env, (_, url) => migrate(url, values))
  const added = ahead.map((migration) => `${migration.version} has added ${migration.name}`)
  await printLine(
    ahead.length === 0
      ? 'The database is up to date.'
      : `The database is ahead of this version (${version}), which works with it: ${added.join(', ')}.`,
  )
  if (unfinished.length > 0)
    await printLine(`Once no older version runs, "veridict migrate --finish" runs ${unfinished.join(', ')}.`)
})
