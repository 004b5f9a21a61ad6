import type { SubmissionRow } from '#db/tables.ts'
import type { StatusNews } from '#drivers/status-bus.ts'

type Told = Pick<SubmissionRow, 'id' | 'status' | 'recordsCount' | 'companyId' | 'userId'>

/** What is told about a submission after a move. Spec §3. */
export const toStatusNews = ({ id, status, recordsCount, companyId, userId }: Told): StatusNews => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})
