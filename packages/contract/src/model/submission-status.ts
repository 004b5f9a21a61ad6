/** Life of a submission, as it travels on the wire. Spec §4. */
export const SubmissionStatus = {
  Uploaded: 0,
  InProcess: 1,
  ValidationFailed: 2,
  ValidationPassed: 3,
  IngestionSuccess: 4,
  IngestionFailed: 5,
  IngestionFileNotFound: 6,
} as const
export type SubmissionStatus = (typeof SubmissionStatus)[keyof typeof SubmissionStatus]

const {
  Uploaded,
  InProcess,
  ValidationFailed,
  ValidationPassed,
  IngestionSuccess,
  IngestionFailed,
  IngestionFileNotFound,
} = SubmissionStatus

/**
 * The moves that are allowed; every other one is refused. Decisions, "Life of a submission".
 * 1 → 1 is a run that was taken over after a crash; 5 → 3 is Retry; 5 → 6 the purge, or bytes that are gone.
 */
export const statusMoves: Readonly<Record<SubmissionStatus, readonly SubmissionStatus[]>> = {
  [Uploaded]: [InProcess],
  [InProcess]: [InProcess, ValidationFailed, ValidationPassed],
  [ValidationFailed]: [],
  [ValidationPassed]: [IngestionSuccess, IngestionFailed],
  [IngestionSuccess]: [],
  [IngestionFailed]: [ValidationPassed, IngestionFileNotFound],
  [IngestionFileNotFound]: [],
}

export const mayMove = (from: SubmissionStatus, to: SubmissionStatus): boolean =>
  statusMoves[from].includes(to)

/**
 * What a job is still to do something about; people see these as in progress. Spec §4; decisions, "Life of a
 * submission".
 */
export const unsettledStatuses: readonly SubmissionStatus[] = [Uploaded, InProcess, ValidationPassed]

/** A status that no job will change any more (5 only changes by Retry or the purge). */
export const isSettled = (status: SubmissionStatus): boolean => !unsettledStatuses.includes(status)

/** A status that nothing at all can leave. */
export const isFinal = (status: SubmissionStatus): boolean => statusMoves[status].length === 0
