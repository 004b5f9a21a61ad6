import type { SubmissionRow } from '#db/tables.ts'
import type { StatusEvent } from '#drivers/status-bus.ts'

type Moved = Pick<SubmissionRow, 'id' | 'status' | 'recordsCount' | 'companyId' | 'userId'>

/** The event to publish after a status change of a submission. */
export const toStatusEvent = ({ id, status, recordsCount, companyId, userId }: Moved): StatusEvent => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})
