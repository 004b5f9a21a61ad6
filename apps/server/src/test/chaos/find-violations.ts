import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled, mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { SubmissionRow } from '#platform/database/tables.ts'
import {
  describeSubmission,
  rowsOf,
  type SentUpload,
  type TestedSystem,
  violation,
} from '#test/chaos/invariants.ts'
import { checkOutcome } from '#test/chaos/outcome.ts'
import { checkFile, checkStoredOnce, checkTargets } from '#test/chaos/stored-files.ts'

const SETTLE_SECONDS = 120

/**
 * Finds violations at this moment, also while processes work and are killed: I1; I2, that each row has its
 * file; I4, that each visible file is complete; I5 of the verdicts that exist; and I6. Checks only the
 * submissions of `uploads`. Returns one line for each violation.
 */
export async function findViolations(system: TestedSystem): Promise<string[]> {
  // Copied before the rows are read, because an upload may be accepted meanwhile.
  const uploads = system.uploads.map((upload) => ({ ...upload }))
  const rows = await rowsOf(system)
  return [
    ...checkAccepted(uploads, rows),
    ...(await forEach(rows, (row) => checkFile(row, system))),
    ...(await forEach(rows, (row) => checkOutcome(row, system))),
    ...(await checkMoves(system)),
    ...(await checkTargets(system)),
  ]
}

/**
 * Finds violations after the faults: first waits until all is settled (I3), and also checks that every passed
 * file is stored exactly once (I4).
 */
export async function findViolationsWhenSettled(system: TestedSystem): Promise<string[]> {
  const late = await waitUntilSettled(system)
  const withoutSeen = { ...system, seen: new Set<string>() }
  return [...late, ...(await findViolations(withoutSeen)), ...(await checkStoredOnce(system))]
}

const forEach = async (
  rows: readonly SubmissionRow[],
  check: (row: SubmissionRow) => Promise<string[]>,
): Promise<string[]> => {
  const found: string[] = []
  for (const row of rows) found.push(...(await check(row)))
  return found
}

/** I1: an accepted upload has one row, with its bytes. */
function checkAccepted(uploads: readonly SentUpload[], rows: readonly SubmissionRow[]): string[] {
  return uploads.flatMap(({ fileName, sha256, id }) => {
    const found = rows.filter((row) => row.fileName === fileName)
    if (found.length > 1) return [violation('I1', `${fileName} was stored ${found.length} times`)]
    const [row] = found
    if (id !== null && row?.id !== id)
      return [violation('I1', `${fileName} was accepted as ${id}; its row is ${row?.id ?? 'missing'}`)]
    return row !== undefined && row.sha256 !== sha256
      ? [violation('I1', `${describeSubmission(row)} has other bytes than were sent`)]
      : []
  })
}

/** I6: the recorded moves are allowed, without a gap, and end with the status of the row. */
async function checkMoves({ db, uploads }: TestedSystem): Promise<string[]> {
  if (uploads.length === 0) return []
  const { rows } = await sql<{ id: number; status: SubmissionStatus; from: (number | null)[]; to: number[] }>`
    select submissions.id, submissions.status, array_agg(from_status order by submission_moves.id) as from,
      array_agg(to_status order by submission_moves.id) as to
    from submissions left join submission_moves on submission_id = submissions.id
    where file_name = any(${uploads.map(({ fileName }) => fileName)}::text[])
    group by submissions.id
  `.execute(db)
  return rows.flatMap(({ id, status, from, to }) => {
    const isChain = to.every((next, index) => {
      const before = from[index] ?? null
      if (index === 0) return before === null && next === SubmissionStatus.Uploaded
      return before === to[index - 1] && mayMove(before as SubmissionStatus, next as SubmissionStatus)
    })
    return isChain && to.at(-1) === status
      ? []
      : [violation('I6', `submission ${id} has status ${status} and moved ${from.join()} → ${to.join()}`)]
  })
}

/** I3. Called when everything works again. */
async function waitUntilSettled(system: TestedSystem): Promise<string[]> {
  const end = performance.now() + SETTLE_SECONDS * 1000
  for (;;) {
    const waiting = (await rowsOf(system)).filter(({ status, settledAt }) => !isSettled(status) || !settledAt)
    if (waiting.length === 0) return []
    if (performance.now() > end)
      return waiting.map((row) => violation('I3', `${describeSubmission(row)} is not settled after 120 s`))
    await sleep(100)
  }
}
