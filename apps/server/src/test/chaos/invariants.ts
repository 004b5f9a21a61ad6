import { type Kysely, sql } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Storage } from '#drivers/storage/storage.ts'

/**
 * What must hold after every fault. The checks read the database and the storage themselves, and use none of
 * the code that is tested to decide. The numbers are used in messages and in docs/RELIABILITY.md.
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
  /** Not a part of the name of any other upload, so that rows and e-mails can be told apart by it. */
  fileName: string
  sha256: string
  /** The id in the response; null where there was none, or a refusal. */
  id: number | null
  outcome: Outcome
}

/** An e-mail that the mail server took. */
export type ReceivedMail = { messageId: string }

export type TestedSystem = {
  db: Kysely<Database>
  storage: Storage
  uploads: readonly SentUpload[]
  /** Files and verdicts that were right, so that repeated checks do not read them again. */
  seen?: Set<string>
}

/** A line of the report of a test. */
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
