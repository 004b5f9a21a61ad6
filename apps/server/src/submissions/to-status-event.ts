import type { SubmissionRow } from '#platform/database/tables.ts'
import type { StatusEvent } from '#platform/live/status-bus.ts'

type Moved = Pick<SubmissionRow, 'id' | 'status' | 'recordsCount' | 'companyId' | 'userId'>

export const toStatusEvent = ({ id, status, recordsCount, companyId, userId }: Moved): StatusEvent => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})
