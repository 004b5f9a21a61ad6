import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled, mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type Kysely } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { sha256Of } from '#drivers/storage/chunks.ts'
import { sourcePath, storageKeyOf, systemCode, type Storage } from '#drivers/storage/storage.ts'
import { sweepStorage } from '#services/submissions/sweep-storage.ts'

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

const SETTLE_SECONDS = 120

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
  /** Whether the test causes storage faults: status 5 is then no violation, and the test retries. */
  hasStorageFaults?: boolean
  /** Files and verdicts that were right, so that repeated checks do not read them again. */
  seen?: Set<string>
}

/** The outcome of a submission that is settled, to compare later ones with. */
export async function outcomeOf(db: Kysely<Database>, id: number): Promise<Outcome> {
  const row = db.selectFrom('submissions').where('id', '=', id).select(outcomeColumns)
  return { ...(await row.executeTakeFirstOrThrow()), reports: await hashReports(db, id) }
}

const outcomeColumns = [
  'status',
  'errorType',
  'errorMessage',
  'recordsCount',
  'errorRowCount',
  'cellErrorCount',
] as const

/** The join leaves out an error whose fault is missing, which changes the hash. */
async function hashReports(db: Kysely<Database>, id: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5(concat(
      (select string_agg(concat_ws('|', row_number, total_count, key, place, column_position, label, error,
          expected, cell ->> 1, cell ->> 2, cell ->> 3), chr(10) order by row_number, place)
        from row_reports
        cross join jsonb_array_elements(errors) with ordinality as found (cell, place)
        join report_faults on report_faults.submission_id = row_reports.submission_id
          and report_faults.number = (cell ->> 0)::integer
        where row_reports.submission_id = ${id}),
      (select count(*) from row_reports where submission_id = ${id}),
      (select count(*) from report_faults where submission_id = ${id}),
      (select string_agg(concat_ws('|', place, cause_id, cause, rows), chr(10) order by place)
        from submission_causes where submission_id = ${id})
    )) as hash
  `.execute(db)
  return rows[0]?.hash ?? ''
}

/**
 * What is violated at this moment, also while processes work and die: I1, I2 as far as rows have their files,
 * I4 as far as files that can be seen are complete, I5 of verdicts that are there, and I6. Checks only the
 * submissions of `uploads`; returns one line for each violation.
 */
export async function findViolations(system: TestedSystem): Promise<string[]> {
  // Before the rows are read: an upload may be accepted meanwhile.
  const uploads = system.uploads.map((upload) => ({ ...upload }))
  const rows = await rowsOf(system)
  return [
    ...checkAccepted(uploads, rows),
    ...(await forEach(rows, (row) => checkFile(row, system))),
    ...(await forEach(rows, (row) => checkOutcome(row, system))),
    ...(await checkMoves(system)),
    ...(await checkTargets(system)),
  ]
}

/**
 * Finds violations after the faults: first waits until all is settled (I3), and also checks that every passed
 * file is stored exactly once (I4).
 */
export async function findViolationsWhenSettled(system: TestedSystem): Promise<string[]> {
  const late = await waitUntilSettled(system)
  const anew = { ...system, seen: new Set<string>() }
  return [...late, ...(await findViolations(anew)), ...(await checkStoredOnce(system))]
}

const violation = (name: Invariant, what: string): string => `${name}: ${what}`
const described = ({ id, fileName, status }: Pick<SubmissionRow, 'id' | 'fileName' | 'status'>): string =>
  `submission ${id} (${fileName}, status ${status})`

const forEach = async (
  rows: readonly SubmissionRow[],
  check: (row: SubmissionRow) => Promise<string[]>,
): Promise<string[]> => {
  const found: string[] = []
  for (const row of rows) found.push(...(await check(row)))
  return found
}

async function rowsOf({ db, uploads }: TestedSystem): Promise<SubmissionRow[]> {
  if (uploads.length === 0) return []
  const names = uploads.map(({ fileName }) => fileName)
  const rows = db.selectFrom('submissions').selectAll().orderBy('id')
  return rows.where(sql<boolean>`file_name = any(${names}::text[])`).execute()
}

const findRow = (db: Kysely<Database>, id: number): Promise<SubmissionRow | undefined> =>
  db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst()

function checkAccepted(uploads: readonly SentUpload[], rows: readonly SubmissionRow[]): string[] {
  return uploads.flatMap(({ fileName, sha256, id }) => {
    const found = rows.filter((row) => row.fileName === fileName)
    if (found.length > 1) return [violation('I1', `${fileName} was stored ${found.length} times`)]
    const [row] = found
    if (id !== null && row?.id !== id)
      return [violation('I1', `${fileName} was accepted as ${id}; its row is ${row?.id ?? 'missing'}`)]
    return row !== undefined && row.sha256 !== sha256
      ? [violation('I1', `${described(row)} has other bytes than were sent`)]
      : []
  })
}

/** Reads the row again after a mismatch: a run may move the submission, and its file, during the check. */
async function checkFile(before: SubmissionRow, { db, storage, seen }: TestedSystem): Promise<string[]> {
  for (let row = before; ;) {
    const path = pathOf(row)
    if (path === null || (seen?.has(path) && (await storage.exists(path)))) return []
    const hash = await hashOf(path, storage)
    if (hash === row.sha256) {
      seen?.add(path)
      return []
    }
    const now = await findRow(db, row.id)
    if (now === undefined) return [violation('I1', `the row of ${described(row)} is gone`)]
    if (now.status === row.status && pathOf(now) === path)
      return [violation('I2', `${path} of ${described(row)} ${hash === null ? 'is missing' : 'is damaged'}`)]
    row = now
  }
}

function pathOf({ status, storageKey, targetPath, sourceDeletedAt }: SubmissionRow): string | null {
  if (status === SubmissionStatus.IngestionSuccess) return targetPath ?? 'a target path'
  if (status === SubmissionStatus.IngestionFileNotFound || sourceDeletedAt !== null) return null
  return sourcePath(storageKey)
}

async function hashOf(path: string, storage: Storage): Promise<string | null> {
  try {
    return await sha256Of(storage.read(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

async function checkOutcome(row: SubmissionRow, system: TestedSystem): Promise<string[]> {
  const { db, uploads, hasStorageFaults, seen } = system
  const { IngestionFailed } = SubmissionStatus
  if (!isSettled(row.status) || (hasStorageFaults && row.status === IngestionFailed)) return []
  const verdict = `${row.id} ${row.status}`
  if (seen?.has(verdict)) return []
  const expected = uploads.find(({ fileName }) => fileName === row.fileName)?.outcome
  const differences = Object.entries(await outcomeOf(db, row.id)).flatMap(([name, value]) => {
    const wanted = expected?.[name as keyof Outcome]
    return value === wanted ? [] : [`${name} ${value}, without faults ${wanted}`]
  })
  if (differences.length > 0) return [violation('I5', `${described(row)} has ${differences.join('; ')}`)]
  seen?.add(verdict)
  return []
}

async function checkMoves({ db, uploads }: TestedSystem): Promise<string[]> {
  if (uploads.length === 0) return []
  const { rows } = await sql<{ id: number; status: SubmissionStatus; from: (number | null)[]; to: number[] }>`
    select submissions.id, submissions.status, array_agg(from_status order by submission_moves.id) as from,
      array_agg(to_status order by submission_moves.id) as to
    from submissions left join submission_moves on submission_id = submissions.id
    where file_name = any(${uploads.map(({ fileName }) => fileName)}::text[])
    group by submissions.id
  `.execute(db)
  return rows.flatMap(({ id, status, from, to }) => {
    const isChain = to.every((next, index) => {
      const before = from[index] ?? null
      if (index === 0) return before === null && next === SubmissionStatus.Uploaded
      return before === to[index - 1] && mayMove(before as SubmissionStatus, next as SubmissionStatus)
    })
    return isChain && to.at(-1) === status
      ? []
      : [violation('I6', `submission ${id} has status ${status} and moved ${from.join()} → ${to.join()}`)]
  })
}

const everything = () => new Date(Date.now() + 3_600_000)
const withoutSideFile = (path: string) => path.replace(/\.json$/, '')

/** Every file that a company can see belongs to a submission, and is complete. */
async function checkTargets({ db, storage, uploads, seen }: TestedSystem): Promise<string[]> {
  const paths = new Set(await Array.fromAsync(storage.list('companies', everything())))
  const known = new Map(
    (await rowsOf({ db, storage, uploads })).flatMap((row) =>
      row.targetPath ? [[row.targetPath, row]] : [],
    ),
  )
  const targets = db.selectFrom('submissions').where('targetPath', 'is not', null).select('targetPath')
  const others = new Set((await targets.execute()).map(({ targetPath }) => targetPath))
  const found: string[] = []
  for (const path of paths) {
    const target = withoutSideFile(path)
    const row = known.get(target)
    if (!others.has(target)) found.push(violation('I4', `${path} belongs to no submission`))
    // A run that failed deletes its file again, which may happen during this check.
    else if (row !== undefined && !seen?.has(path)) {
      if (await isComplete(path, row, storage)) seen?.add(path)
      else if (await hashOf(path, storage))
        found.push(violation('I4', `${path} of ${described(row)} is not complete`))
    }
  }
  return found
}

async function isComplete(path: string, row: SubmissionRow, storage: Storage): Promise<boolean> {
  if (path === row.targetPath) return (await hashOf(path, storage)) === row.sha256
  try {
    const content = await Array.fromAsync(storage.read(path))
    const { submissionId, sha256 } = JSON.parse(Buffer.concat(content).toString())
    return submissionId === row.id && sha256 === row.sha256
  } catch {
    return false
  }
}

/** For the end: one file and its description for each that was accepted, and none for the others. */
async function checkStoredOnce(system: TestedSystem): Promise<string[]> {
  const rows = await rowsOf(system)
  const paths = await Array.fromAsync(system.storage.list('companies', everything()))
  return rows.flatMap((row) => {
    const own = paths.filter((path) => path.split('/').at(-1)?.startsWith(`${row.id}_`)).toSorted()
    const isStored = row.status === SubmissionStatus.IngestionSuccess
    const expected = isStored ? [`${row.targetPath}`, `${row.targetPath}.json`] : []
    return own.join() === expected.join()
      ? []
      : [violation('I4', `${described(row)} has the files ${own.join() || 'none'}`)]
  })
}

/** I3. The caller has made everything work again. */
async function waitUntilSettled(system: TestedSystem): Promise<string[]> {
  const end = performance.now() + SETTLE_SECONDS * 1000
  for (;;) {
    const waiting = (await rowsOf(system)).filter(({ status, settledAt }) => !isSettled(status) || !settledAt)
    if (waiting.length === 0) return []
    if (performance.now() > end)
      return waiting.map((row) => violation('I3', `${described(row)} is not settled after 120 s`))
    await sleep(100)
  }
}

/**
 * I2, files without a row: runs the sweep as if an hour had passed, and returns those that are left.
 * Nothing may write to the storage meanwhile.
 */
export async function findOrphanedFiles(
  { db, storage }: TestedSystem,
  deps: Pick<Deps, 'env' | 'log'>,
): Promise<string[]> {
  const later: Storage = {
    ...storage,
    list: (of) => storage.list(of, everything()),
    sweepStaged: () => storage.sweepStaged(everything()),
  }
  await sweepStorage({ ...deps, db, storage: { ...later, confirm: async () => {} } as Deps['storage'] })
  const sources = await Array.fromAsync(storage.list('sources', everything()))
  const { rows } = await sql<{ storageKey: string }>`
    select storage_key as "storageKey" from submissions
    where source_deleted_at is null and status <> ${SubmissionStatus.IngestionFileNotFound}
  `.execute(db)
  const needed = new Set(rows.map(({ storageKey }) => storageKey))
  return [
    ...sources
      .filter((path) => !needed.has(storageKeyOf(path)))
      .map((path) => violation('I2', `${path} belongs to no submission and was not swept`)),
    ...((await storage.sweepStaged(everything())) > 0
      ? [violation('I2', 'the sweep left uploads that were never kept')]
      : []),
  ]
}

/**
 * I7, when no e-mail waits any more. `kills`: how many processes died; each may have sent one e-mail
 * whose reply it could not record.
 */
export async function findMailViolations(
  system: TestedSystem,
  received: readonly ReceivedMail[],
  kills: number,
): Promise<string[]> {
  const mails = await system.db
    .selectFrom('mails')
    .select(['messageId', 'subject', 'attempts', 'sentAt'])
    .execute()
  const rows = (await rowsOf(system)).filter(({ userId }) => userId !== null)
  const counts = new Map<string, number>()
  for (const { messageId } of received) counts.set(messageId, (counts.get(messageId) ?? 0) + 1)
  const again = mails.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  return [
    ...rows.flatMap((row) => {
      const own = mails.filter(({ subject }) => subject.includes(row.fileName))
      return own.length === 1
        ? []
        : [violation('I7', `${described(row)} has ${own.length} e-mails of its result`)]
    }),
    ...mails.flatMap(({ messageId, subject, attempts, sentAt }) => {
      const times = counts.get(messageId) ?? 0
      return sentAt !== null && times >= 1 && times <= attempts
        ? []
        : [violation('I7', `"${subject}" was sent ${times} times in ${attempts} attempts`)]
    }),
    ...[...counts.keys()]
      .filter((messageId) => !mails.some((mail) => mail.messageId === messageId))
      .map((messageId) => violation('I7', `${messageId} was received and is not in the outbox`)),
    ...(again > kills ? [violation('I7', `${again} e-mails were sent again after ${kills} kills`)] : []),
  ]
}
