import { type StatusPush, statusPush } from '@veridict/contract/api/live'
import { isFinal, statusMoves, type SubmissionStatus } from '@veridict/contract/model/submission-status'

/**
 * A message of the socket as a status push, or null: only a JSON object with the three keys FileId,
 * FilesStatus and RecordCount (in their types) patches anything. Spec §4.
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

/**
 * Whether a push is of an upload that came after all that is shown (ids grow with time). A push of an older
 * one that is not shown concerns another page, and nothing needs to be read for it.
 */
export const isNewUpload = (fileId: number, shownIds: readonly number[]): boolean =>
  shownIds.every((id) => id < fileId)
