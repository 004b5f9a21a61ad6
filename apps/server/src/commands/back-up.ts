/**
 * `veridict backup DIR`: copies database and storage into an empty folder, also while the portal runs, and
 * reads the copy back. `--keep=N`: makes one in DIR, named by the time, and deletes those before the newest
 * N, if nothing is missing. Exit code 0 if all is in it, 1 if files were missing or damaged, 2 without one.
 */
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { recordRun } from '#platform/database/marks.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { backUp, backupName, deleteOldBackups } from '#operations/back-up.ts'
import { findKnownStorage } from '#platform/storage/identify-storage.ts'

await runCommand(2, async (env) => {
  const { values, positionals } = parseArgs({ options: { keep: { type: 'string' } }, allowPositionals: true })
  const parent = resolve(positionals[0] ?? '')
  const count = values.keep === undefined ? null : readCount(values.keep)
  const folder = count === null ? parent : join(parent, backupName(new Date()))
  const { submissions, files, problems } = await useStoredDatabase(env, async (db, databaseUrl) => {
    const storage = await findKnownStorage(env, { db })
    const backup = await backUp(folder, { db, storage, databaseUrl })
    if (backup.problems.length === 0) await recordRun(db, 'backup')
    return backup
  })
  for (const problem of problems) console.error(`error: ${problem}`)
  await printLine(`${writeCount(submissions)} submissions and ${writeCount(files)} files are in ${folder}.`)
  if (problems.length > 0) return 1
  for (const name of count === null ? [] : await deleteOldBackups(parent, basename(folder), count))
    await printLine(`Deleted ${join(parent, name)}.`)
  return 0
})

function readCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`--keep: ${text} is not a number of backups from 1 to 9999.`)
}
