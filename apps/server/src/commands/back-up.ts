/**
 * `veridict backup DIR`: copies database and storage into an empty folder, also while the portal runs. Exit
 * code 0 if everything is in it, 1 if files were missing or damaged, 2 if there is no backup.
 */
import { resolve } from 'node:path'
import { writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { backUp } from '#operations/back-up.ts'
import { findKnownStorage } from '#platform/storage/identify-storage.ts'

await runCommand(2, async (env) => {
  const folder = resolve(process.argv[2] ?? '')
  const { submissions, files, problems } = await useStoredDatabase(env, async (db, databaseUrl) => {
    const storage = await findKnownStorage(env, { db })
    return backUp(folder, { db, storage, databaseUrl, dataDir: env.dataDir })
  })
  for (const problem of problems) console.error(`error: ${problem}`)
  await printLine(`${writeCount(submissions)} submissions and ${writeCount(files)} files are in ${folder}.`)
  return problems.length === 0 ? 0 : 1
})
