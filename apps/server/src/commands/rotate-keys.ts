/** `veridict keys rotate`: a new key signs, as after the theft of a backup. Old ones stay published. */
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { replaceSigningKey } from '#platform/signing/receipt-keys.ts'

await runCommand(2, (env) =>
  useStoredDatabase(env, async (db) =>
    printLine(`Receipts are signed with the key ${await replaceSigningKey({ db })} from now on.`),
  ),
)
