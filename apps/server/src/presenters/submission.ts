import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { SubmissionItem, uploadSubmission } from '@veridict/contract/api/submissions'
import type { SubmissionRow } from '#db/tables.ts'
import type { SubmissionSummary } from '#repositories/submissions.ts'

export const presentSubmissionItem = (submission: SubmissionSummary): SubmissionItem => ({
  id: submission.id,
  fileName: submission.fileName,
  dataDictionaryName: submission.dictionaryName,
  recordsCount: submission.recordsCount,
  createdAt: submission.createdAt.toISOString(),
  status: submission.status,
})

export const presentUpload = ({ id, fileName, status }: SubmissionRow): ReplyOf<typeof uploadSubmission> => ({
  id,
  fileName,
  status,
})
