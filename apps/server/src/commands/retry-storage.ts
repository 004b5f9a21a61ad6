/** `veridict retry-storage`: lets the portal retry all storage errors. Exit code 2 without the database. */
import { operationMessages } from '@veridict/contract/messages/operation'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { retryAllStorageErrors } from '#submissions/retry-ingestion.ts'

await runCommand(2, (env) =>
  useStoredDatabase(env, async (db) => {
    const retried = await retryAllStorageErrors(null, { db, caller: portalItself })
    await printLine(operationMessages.retried(retried))
  }),
)
