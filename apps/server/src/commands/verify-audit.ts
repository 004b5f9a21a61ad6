/**
 * `veridict audit verify [--head FILE] [--json]`: whether the audit trail was changed past the portal. Exit
 * code 0 if the chain holds, 1 if not, 2 if it could not be found out.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { type AuditHead, readAuditHead } from '#audit/audit-head.ts'
import { verifyAuditTrail, type AuditProof } from '#audit/verify-audit-trail.ts'

const timeOf = (at: Date | null): string => at?.toISOString() ?? 'an unknown time'

function textOf({ entries, unlinked, removed, fault }: AuditProof, head: AuditHead | null): string {
  const notLinked = unlinked > 0 ? `; ${writeCount(unlinked)} new ones are not linked yet.` : '.'
  const lines = [
    fault === null
      ? `The chain holds: ${writeCount(entries)} entries${notLinked}`
      : `The chain does not hold. ${fault}`,
  ]
  if (head !== null && fault === null) lines.push(`It fits the head of ${head.at}.`)
  if (removed.entries > 0)
    lines.push(
      `Retention removed ${writeCount(removed.entries)} entries, from ${timeOf(removed.from)} to ` +
        `${timeOf(removed.to)}.`,
    )
  return lines.join('\n')
}

const jsonOf = ({ removed, fault, ...proof }: AuditProof) => ({
  ...proof,
  removedByRetention: removed.entries,
  removedFrom: removed.from,
  removedTo: removed.to,
  holds: fault === null,
  fault,
})

function headIn(path: string) {
  const head = readAuditHead(readFileSync(path, 'utf8'))
  if (head === null) throw new Error(`${path} is not a head of an audit trail.`)
  return head
}

await runCommand(2, async (env) => {
  const { values } = parseArgs({
    options: { head: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const head = values.head === undefined ? null : headIn(values.head)
  const proof = await useStoredDatabase(env, (db) => verifyAuditTrail(db, head))
  if (head !== null && proof.fault === null && head.place < proof.removed.entries)
    throw new Error(
      `The entries up to the head of ${head.at} were deleted after their retention: choose a newer head.`,
    )
  await printLine(values.json ? JSON.stringify(jsonOf(proof), null, 2) : textOf(proof, head))
  return proof.fault === null ? 0 : 1
})
