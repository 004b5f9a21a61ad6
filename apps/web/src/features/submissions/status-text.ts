import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'

/** The name of a status; all unfinished ones share a name. See docs/BEHAVIOUR.md#history. */
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
