import type { SubmissionRow } from '#platform/database/tables.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import type { Attributes, Tracing } from '#platform/telemetry/tracing.ts'

/** Identifies the submission of a span. Without its file name, because traces leave the installation. */
export const spanAttributes = ({ id }: Pick<SubmissionRow, 'id'>): Attributes => ({
  'veridict.submission.id': id,
})

/** Does the work of a job in the trace of the upload. */
export const inSpanOfJob = <T>(
  name: SubmissionWork,
  submission: Pick<SubmissionRow, 'id' | 'traceparent'>,
  { tracing }: { tracing: Tracing },
  work: () => Promise<T>,
): Promise<T> =>
  tracing.resume(
    submission.traceparent,
    { name, kind: 'consumer', attributes: spanAttributes(submission) },
    work,
  )
