/**
 * `veridict check [--repair] [--json]`: compares submissions and files, also while the portal runs. Exit code
 * 0 if nothing is missing or damaged, 1 if something is, 2 if it could not look.
 */
import { parseArgs } from 'node:util'
import { writeCount } from '@veridict/contract/notation/count'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { checkFiles, type FileCheck, type Finding } from '#operations/check-files.ts'
import { findKnownStorage } from '#platform/storage/identify-storage.ts'

const isLoss = ({ kind }: Finding): boolean => kind === 'missing' || kind === 'damaged'

function idsOf(findings: readonly Finding[]): number[] {
  return [...new Set(findings.filter(isLoss).flatMap(({ submissionId }) => submissionId ?? []))]
}

function textOf({ submissions, files, findings }: FileCheck): string {
  const lines: string[] = []
  for (const { kind, submissionId, path, message, isRepaired } of findings) {
    const what = [submissionId === null ? [] : `submission ${submissionId}`, path ?? []].flat().join(', ')
    lines.push(
      `${isLoss({ kind } as Finding) ? 'error' : 'warning'}: ${what}: ${message}` +
        (isRepaired ? ' (done)' : ''),
    )
  }
  const losses = findings.filter(isLoss).length
  lines.push(
    `${writeCount(submissions)} submissions, ${writeCount(files)} files: ` +
      (losses === 0 ? 'nothing is missing or damaged.' : `${writeCount(losses)} missing or damaged.`),
  )
  return lines.join('\n')
}

await runCommand(2, async (env) => {
  const { values } = parseArgs({
    options: { repair: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  })
  const check = await useStoredDatabase(env, async (db) =>
    checkFiles({ db, storage: await findKnownStorage(env, { db }) }, { repair: values.repair }),
  )
  const submissionIds = idsOf(check.findings)
  await printLine(values.json ? JSON.stringify({ ...check, submissionIds }, null, 2) : textOf(check))
  return check.findings.some(isLoss) ? 1 : 0
})
