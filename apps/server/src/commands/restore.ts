/**
 * `veridict restore DIR`: fills an empty DATA_DIR, or the empty database at DATABASE_URL, and the storage
 * with a backup. Exit code 0 if all is as it was, 1 if files could not be put back, 2 if nothing was done.
 */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { createStorage } from '#platform/storage/create-storage.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'
import { restore } from '#operations/restore.ts'
import { readManifest } from '#operations/back-up.ts'

await runCommand(2, async (env) => {
  const folder = resolve(process.argv[2] ?? '')
  // Before a database is made for nothing.
  await readManifest(folder)
  if (env.databaseUrl !== null) makePrivateFolder(env.dataDir)
  const embedded =
    env.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: env.dataDir, log: () => {} }) : null
  const databaseUrl = embedded?.url ?? (env.databaseUrl as string)
  const storage = await createStorage(env)
  const { submissions, files, problems } = await restore(folder, {
    storage,
    databaseUrl,
    newId: randomUUID,
  }).finally(() => embedded?.stop())
  for (const problem of problems) console.error(`error: ${problem}`)
  await printLine(
    `${writeCount(submissions)} submissions and ${writeCount(files)} files are restored. For 7 days ` +
      'nothing is swept or purged; `veridict check` lists files that came later, once they are an hour old.',
  )
  return problems.length === 0 ? 0 : 1
})
