import type { SubmissionRow } from '#platform/database/tables.ts'
import type { StatusEvent } from '#platform/live/status-bus.ts'

type Moved = Pick<SubmissionRow, 'id' | 'status' | 'recordsCount' | 'companyId' | 'userId'>

/** The event to publish after a status change of a submission. */
export const toStatusEvent = ({ id, status, recordsCount, companyId, userId }: Moved): StatusEvent => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})
