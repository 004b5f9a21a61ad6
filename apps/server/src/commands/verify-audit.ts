/**
 * `veridict audit verify`: whether the audit trail was changed past the portal. Exit code 0 if the chain
 * holds, 1 if not, 2 if it could not be found out.
 */
import { writeCount } from '@veridict/contract/notation/count'
import { print } from '#commands/print.ts'
import { openDatabase } from '#db/database.ts'
import { useStoredDatabase } from '#db/stored-database.ts'
import { readEnv } from '#env.ts'
import { verifyAuditTrail } from '#services/audit/verify-audit-trail.ts'

try {
  const { entries, unlinked, fault } = await useStoredDatabase(readEnv(process.env), async (url) => {
    const db = openDatabase(url)
    return verifyAuditTrail(db).finally(() => db.destroy())
  })
  const notLinked = unlinked > 0 ? `; ${writeCount(unlinked)} new ones are not linked yet.` : '.'
  await print(
    fault === null
      ? `The chain holds: ${writeCount(entries)} entries${notLinked}`
      : `The chain does not hold. ${fault}`,
  )
  process.exitCode = fault === null ? 0 : 1
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
