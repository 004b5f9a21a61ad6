/** Life of a submission, as it travels on the wire. See docs/BEHAVIOUR.md#life-of-a-submission. */
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
 * All others are refused. 1 → 1: another worker took over after a crash; 5 → 3: a retry; 5 → 6: the purge, or
 * a missing source. See docs/BEHAVIOUR.md#retry.
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

/** Statuses that a job will still change; people see these as in progress. */
export const unsettledStatuses: readonly SubmissionStatus[] = [Uploaded, InProcess, ValidationPassed]

/** A status that no job will change (5 changes by a retry or the purge only). */
export const isSettled = (status: SubmissionStatus): boolean => !unsettledStatuses.includes(status)

/** A status that never changes again. */
export const isFinal = (status: SubmissionStatus): boolean => statusMoves[status].length === 0
