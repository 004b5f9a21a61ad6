/**
 * `veridict keys rotate`: receipts are signed with a new key from now on, for example because a backup of the
 * database fell into other hands. Earlier keys stay published.
 */
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { replaceSigningKey } from '#platform/signing/receipt-keys.ts'

await runCommand(2, (env) =>
  useStoredDatabase(env, async (db) =>
    printLine(`Receipts are signed with the key ${await replaceSigningKey({ db })} from now on.`),
  ),
)
