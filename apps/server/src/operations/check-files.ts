import type { Deps } from '#deps.ts'
import { sha256Of } from '#platform/storage/chunks.ts'
import { aDayAhead, isMissing, sourcePath, storageKeyOf } from '#platform/storage/storage.ts'
import { hasClockJumped, isNewlyRestored } from '#platform/database/marks.ts'
import {
  filesOf,
  findEndedLeases,
  findStoredSubmission,
  findSubmissionOfSource,
  findUnknownTargets,
  listStoredSubmissions,
  releaseEndedLease,
  type StoredSubmission,
} from '#submissions/submission-sources.ts'
import { SWEEP_AGE_MILLISECONDS } from '#submissions/delete-unneeded.ts'

type Needs = Pick<Deps, 'db' | 'storage'>

/** A mismatch of database and storage. An orphan and an ended lease are harmless; the others lose data. */
export type Finding = {
  kind: 'missing' | 'damaged' | 'orphan' | 'endedLease'
  submissionId: number | null
  path: string | null
  /** What is wrong, and what to do. */
  message: string
  isRepaired: boolean
}

export type FileCheck = { submissions: number; files: number; findings: Finding[] }

const TARGETS_AT_ONCE = 500

/**
 * Compares all hashes, in both directions, beside a running portal. `repair` releases ended leases, and
 * deletes orphaned sources older than the sweep's age, unless the clock jumped or the database was restored
 * in the last days. `isQuick`: without hashes and while no portal runs, so that young files count, too.
 */
export async function checkFiles(
  deps: Needs,
  { repair, isQuick = false }: { repair: boolean; isQuick?: boolean },
): Promise<FileCheck> {
  // Younger files may be of uploads that run now.
  const before = isQuick ? aDayAhead() : new Date(Date.now() - SWEEP_AGE_MILLISECONDS)
  const check: FileCheck = { submissions: 0, files: 0, findings: [] }
  await deps.storage.confirm()
  const mayDelete = repair && !(await hasClockJumped(deps.db)) && !(await isNewlyRestored(deps.db))
  await checkSubmissions(check, deps, isQuick)
  await checkSources(check, deps, { before, mayDelete })
  await checkTargets(check, deps, before)
  for (const id of await findEndedLeases(deps.db)) {
    if (repair) await releaseEndedLease(deps.db, id)
    const message = 'its lease ended and no worker took it over; check that a worker runs'
    check.findings.push({ kind: 'endedLease', submissionId: id, path: null, message, isRepaired: repair })
  }
  return check
}

async function checkSubmissions(check: FileCheck, deps: Needs, isQuick: boolean): Promise<void> {
  for await (const submission of listStoredSubmissions(deps.db)) {
    check.submissions++
    check.findings.push(...(await checkUntilStable(submission, check, deps, isQuick)))
  }
}

/** A running portal may move a submission, and its file, while it is looked at. */
async function checkUntilStable(
  submission: StoredSubmission,
  check: FileCheck,
  deps: Needs,
  isQuick: boolean,
): Promise<Finding[]> {
  for (let seen = submission; ;) {
    const findings = await checkSubmission(seen, check, deps, isQuick)
    if (findings.length === 0) return []
    const now = await findStoredSubmission(deps.db, seen.id)
    if (now === undefined) return []
    if (JSON.stringify(now) === JSON.stringify(seen)) return findings
    seen = now
  }
}

async function checkSubmission(
  submission: StoredSubmission,
  check: FileCheck,
  { storage }: Needs,
  isQuick: boolean,
): Promise<Finding[]> {
  const { id: submissionId, storageKey } = submission
  const findings: Finding[] = []
  const find = (kind: Finding['kind'], path: string, message: string) =>
    findings.push({ kind, submissionId, path, message, isRepaired: false })
  for (const { path, sha256 } of filesOf(submission)) {
    check.files++
    if (sha256 === null) {
      if (!(await storage.exists(path))) find('missing', path, 'is missing; restore it from a backup')
      continue
    }
    const found = isQuick ? ((await storage.exists(path)) ? sha256 : null) : await hashOf(path, storage)
    const orAsk =
      path === sourcePath(storageKey) ? 'for the file again' : 'the company whether it took the file away'
    const advice = `restore it from a backup, or ask ${orAsk}`
    if (found === null) find('missing', path, `is missing; ${advice}`)
    else if (found !== sha256) find('damaged', path, `is damaged; ${advice}`)
  }
  return findings
}

async function hashOf(path: string, storage: Needs['storage']): Promise<string | null> {
  try {
    return await sha256Of(storage.read(path))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function checkSources(
  check: FileCheck,
  { db, storage }: Needs,
  { before, mayDelete }: { before: Date; mayDelete: boolean },
): Promise<void> {
  for await (const path of storage.list('sources', before)) {
    const submission = await findSubmissionOfSource(db, storageKeyOf(path))
    if (submission !== undefined && submission.sourceDeletedAt === null) continue
    if (mayDelete) await storage.delete(path)
    check.findings.push({
      kind: 'orphan',
      submissionId: submission?.id ?? null,
      path,
      message: 'belongs to no submission that needs it; --repair deletes it, and so does the sweep in time',
      isRepaired: mayDelete,
    })
  }
}

async function checkTargets(check: FileCheck, { db, storage }: Needs, before: Date): Promise<void> {
  let paths: string[] = []
  const compare = async () => {
    const unknown = new Set(await findUnknownTargets(db, paths.map(withoutSideFile)))
    for (const path of paths.filter((found) => unknown.has(withoutSideFile(found))))
      check.findings.push({
        kind: 'orphan',
        submissionId: null,
        path,
        message: 'is at the path of no submission; --repair does not delete it',
        isRepaired: false,
      })
    paths = []
  }
  for await (const path of storage.list('companies', before)) {
    paths.push(path)
    if (paths.length === TARGETS_AT_ONCE) await compare()
  }
  await compare()
}

const withoutSideFile = (path: string): string => path.replace(/\.json$/, '')
