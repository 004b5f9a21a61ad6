import { type StatusPush, statusPush } from '@veridict/contract/api/live'
import { isFinal, statusMoves, type SubmissionStatus } from '@veridict/contract/model/submission-status'

/**
 * A socket message as a status push; null unless it has FileId, FilesStatus and RecordCount in their types.
 */
export function readPush(text: unknown): StatusPush | null {
  if (typeof text !== 'string') return null
  try {
    const push = statusPush.safeParse(JSON.parse(text))
    return push.success ? push.data : null
  } catch (error) {
    console.error('A live message could not be read.', error)
    return null
  }
}

/**
 * Whether any number of allowed moves leads from one status to the other: pushes in between may be missed.
 */
function canReach(from: SubmissionStatus, to: SubmissionStatus): boolean {
  const seen = new Set<SubmissionStatus>([from])
  for (const status of seen) for (const next of statusMoves[status]) seen.add(next)
  return seen.has(to)
}

type StatusRow = { status: SubmissionStatus; recordsCount: number | null }

/**
 * A row with a push applied; the same object if nothing changes. A late push is ignored: it would move the
 * row back or remove a known count. See docs/BEHAVIOUR.md#live-status.
 */
export function patchStatus<Row extends StatusRow>(
  row: Row,
  push: { FilesStatus: SubmissionStatus; RecordCount: number | null },
): Row {
  const { FilesStatus: status, RecordCount } = push
  if (row.status !== status && (isFinal(row.status) || !canReach(row.status, status))) return row
  const recordsCount = RecordCount ?? row.recordsCount
  return row.status === status && row.recordsCount === recordsCount ? row : { ...row, status, recordsCount }
}

/**
 * Whether a push belongs to an upload newer than all shown rows (ids grow with time). An older upload that is
 * not shown is on another page, and nothing needs to be read for it.
 */
export const isNewUpload = (fileId: number, shownIds: readonly number[]): boolean =>
  shownIds.every((id) => id < fileId)
