import type { SubmissionRow } from '#db/tables.ts'
import type { StatusNews } from '#drivers/status-bus.ts'

type Moved = Pick<SubmissionRow, 'id' | 'status' | 'recordsCount' | 'companyId' | 'userId'>

/** What sockets get after a move of a submission. */
export const toStatusNews = ({ id, status, recordsCount, companyId, userId }: Moved): StatusNews => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})
