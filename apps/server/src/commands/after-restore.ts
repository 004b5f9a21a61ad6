/**
 * `veridict after-restore [--json]`: settles a database that other tools than `restore` have set back, while
 * no portal runs, and lists what only one side has. Exit code 0, or 2 if nothing was done.
 */
import { parseArgs } from 'node:util'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { afterRestore } from '#operations/after-restore.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { findKnownStorage } from '#platform/storage/identify-storage.ts'

await runCommand(2, async (env) => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const settled = await useStoredDatabase(env, async (db, url) =>
    afterRestore(url, { db, storage: await findKnownStorage(env, { db }) }),
  )
  if (values.json) return printLine(JSON.stringify(settled, null, 2))
  const { sequences, onlyInStorage, onlyInDatabase, endedSessions } = settled
  for (const path of onlyInStorage) await printLine(`only in the storage: ${path}`)
  for (const path of onlyInDatabase) await printLine(`only in the database: ${path}`)
  const ids = Object.values(sequences).map((value) => writeCount(value))
  await printLine(
    `New submissions get ids above ${ids.join()}. ${counted(endedSessions, 'session')} ended. For 7 days ` +
      'nothing is swept or purged. Tokens of companies that were revoked since are valid again: revoke ' +
      'them again.',
  )
})
