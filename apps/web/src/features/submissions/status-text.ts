import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'

/** What a status is called; everything that still goes on has one name. Spec §4. */
export function statusText(status: SubmissionStatus): string {
  switch (status) {
    case SubmissionStatus.IngestionSuccess:
      return texts.success
    case SubmissionStatus.ValidationFailed:
      return texts.validationError
    case SubmissionStatus.IngestionFailed:
      return texts.storageError
    case SubmissionStatus.IngestionFileNotFound:
      return texts.fileRemoved
    default:
      return texts.inProgress
  }
}
