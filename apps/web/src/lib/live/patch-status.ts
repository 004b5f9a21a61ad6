import { isFinal, statusMoves, type SubmissionStatus } from '@veridict/contract/model/submission-status'

/**
 * Whether a submission can get from one status to another by any number of allowed moves. Messages in between
 * may be missed.
 */
export function canReach(from: SubmissionStatus, to: SubmissionStatus): boolean {
  const seen = new Set<SubmissionStatus>([from])
  for (const status of seen) for (const next of statusMoves[status]) seen.add(next)
  return seen.has(to)
}

type Watched = { status: SubmissionStatus; recordsCount: number | null }

/**
 * A row with a push applied. A push never moves a row back, least of all out of a final status, and never
 * forgets a known count: such a push is late. Gives the same object where nothing changes. api.md, "Live
 * status".
 */
export function patchStatus<Row extends Watched>(
  row: Row,
  push: { FilesStatus: SubmissionStatus; RecordCount: number | null },
): Row {
  const { FilesStatus: status, RecordCount } = push
  if (row.status !== status && (isFinal(row.status) || !canReach(row.status, status))) return row
  const recordsCount = RecordCount ?? row.recordsCount
  return row.status === status && row.recordsCount === recordsCount ? row : { ...row, status, recordsCount }
}
