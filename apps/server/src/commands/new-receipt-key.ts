/**
 * `node apps/server/src/commands/new-receipt-key.ts`: receipts are signed with a new key from now on, for
 * example because a backup of the database fell into other hands. Earlier keys stay published.
 */
import { runOnDatabase } from '#commands/run-command.ts'
import { replaceSigningKey } from '#platform/signing/receipt-keys.ts'

await runOnDatabase(async (db) => {
  console.log(`Receipts are signed with the key ${await replaceSigningKey({ db })} from now on.`)
})
