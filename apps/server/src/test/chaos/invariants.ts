import { sql } from 'kysely'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import type { Storage } from '#platform/storage/storage.ts'

/**
 * What must hold after every fault. The checks read the database and the storage directly and use none of the
 * tested code. Messages and docs/RELIABILITY.md name invariants by their numbers.
 */
export const invariants = {
  I1: 'An accepted upload has a row and its bytes; any other has nothing, or is a normal submission',
  I2: 'There is no row without its file, and after the sweep no file without its row',
  I3: 'Every submission is settled within 120 s of the system being healthy again',
  I4: 'A passed file is stored once, complete, with its description; a part of it is never visible',
  I5: 'The verdict and its errors are those of a run without faults',
  I6: 'Only allowed moves happen, each from the status that the one before led to',
  I7: 'There is one e-mail for each result; again only where a reply was lost, with the same Message-ID',
  I8: 'What a client shows is what the server has, within 5 s of the network being back',
} as const
export type Invariant = keyof typeof invariants

/** The verdict on a file, and its errors. */
export type Outcome = Pick<
  SubmissionRow,
  'status' | 'errorType' | 'errorMessage' | 'recordsCount' | 'errorRowCount' | 'cellErrorCount'
> & {
  /** A hash of the reports of all rows and of all causes, in their order. */
  reports: string
}

/** An upload as its client saw it. */
export type SentUpload = {
  /** Unique, and not a part of another upload's name: it identifies rows and e-mails. */
  fileName: string
  sha256: string
  /** The id in the response; null if there was no response, or a refusal. */
  id: number | null
  outcome: Outcome
}

/** An e-mail that the mail server accepted. */
export type ReceivedMail = { messageId: string }

export type TestedSystem = {
  db: Db
  storage: Storage
  uploads: readonly SentUpload[]
  /** Files and verdicts that an earlier check found right; they are not read again. */
  seen?: Set<string>
}

/** A line of a test's report. */
export const violation = (name: Invariant, what: string): string => `${name}: ${what}`

export const describeSubmission = ({
  id,
  fileName,
  status,
}: Pick<SubmissionRow, 'id' | 'fileName' | 'status'>): string =>
  `submission ${id} (${fileName}, status ${status})`

/** The submissions of the uploads, in the order of their ids. */
export async function rowsOf({ db, uploads }: TestedSystem): Promise<SubmissionRow[]> {
  if (uploads.length === 0) return []
  const names = uploads.map(({ fileName }) => fileName)
  const rows = db.selectFrom('submissions').selectAll().orderBy('id')
  return rows.where(sql<boolean>`file_name = any(${names}::text[])`).execute()
}
