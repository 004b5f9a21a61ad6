import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { ComparedFile } from '@veridict/engine/compare-dictionaries'
import { sql } from 'kysely'
import { countDeleted, hasRow } from '#platform/database/lists.ts'
import type { Db, ImpactRow, SubmissionRow, Trx } from '#platform/database/tables.ts'

/** A silent run counts as dead after this time, and another process continues it. */
export const IMPACT_LEASE_SECONDS = 30
/** Newest uploads of which the first are validated whose bytes are still there. */
const MAX_CANDIDATES = 100

const leaseEnd = sql<Date>`now() + make_interval(secs => ${IMPACT_LEASE_SECONDS})`

export type TriedDraft = { fields: readonly Field[]; ruleBook: RuleBook }

/** Returns the id. */
export async function insertImpact(
  trx: Trx,
  { draft, ...of }: Pick<ImpactRow, 'dictionaryId' | 'dictionaryVersionId'> & { draft: TriedDraft },
): Promise<number> {
  const insert = trx.insertInto('impacts').values({ ...of, draft: JSON.stringify(draft) })
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

export const findImpact = (db: Db, dictionaryId: number, id: number): Promise<ImpactRow | undefined> =>
  db
    .selectFrom('impacts')
    .selectAll()
    .where('id', '=', id)
    .where('dictionaryId', '=', dictionaryId)
    .executeTakeFirst()

export type ClaimedImpact = ImpactRow & { runningSeconds: number }

/**
 * Takes the oldest that waits, or whose process died. A lease that ends much later was set before a clock was
 * set back.
 */
export function claimImpact(db: Db, leaseId: string): Promise<ClaimedImpact | undefined> {
  const isFree = sql<boolean>`
    (lease_until is null or lease_until < now() or lease_until > now() + interval '1 hour')`
  return db
    .updateTable('impacts')
    .set({ leaseId, leaseUntil: leaseEnd, startedAt: sql`coalesce(started_at, now())` })
    .where('id', '=', (query) =>
      query
        .selectFrom('impacts')
        .select('id')
        .where('doneAt', 'is', null)
        .where(isFree)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .returning(sql<number>`extract(epoch from now() - started_at)::integer`.as('runningSeconds'))
    .executeTakeFirst()
}

const leased = (db: Db, { id, leaseId }: ImpactRow) =>
  db.updateTable('impacts').where('id', '=', id).where('leaseId', '=', leaseId)

/** Extends the lease. Returns false if it was lost. */
export const renewImpact = (db: Db, impact: ImpactRow): Promise<boolean> =>
  hasRow(leased(db, impact).set({ leaseUntil: leaseEnd }).returning('id'))

/** Ends the lease: with the work if it `isDone`, else so that another process can continue at once. */
export async function releaseImpact(db: Db, impact: ImpactRow, isDone: boolean): Promise<void> {
  const free = { leaseId: null, leaseUntil: null }
  await leased(db, impact)
    .set(isDone ? { ...free, doneAt: sql`now()` } : free)
    .execute()
}

export type Upload = Pick<
  SubmissionRow,
  | 'id'
  | 'fileName'
  | 'bytes'
  | 'sha256'
  | 'storageKey'
  | 'createdAt'
  | 'status'
  | 'targetPath'
  | 'sourceDeletedAt'
>

/** The newest validated uploads of a dictionary that are not tried yet and may still have their bytes. */
export function findUploads(
  db: Db,
  { id, dictionaryId }: Pick<ImpactRow, 'id' | 'dictionaryId'>,
): Promise<Upload[]> {
  const { Uploaded, InProcess, IngestionSuccess } = SubmissionStatus
  // As an array, so that PostgreSQL reads the newest rows and does not sort those of all versions.
  const ofDictionary = sql<boolean>`dictionary_version_id = any(array(
    select id from dictionary_versions where dictionary_id = ${dictionaryId}))`
  return db
    .selectFrom('submissions')
    .select([
      'id',
      'fileName',
      'bytes',
      'sha256',
      'storageKey',
      'createdAt',
      'status',
      'targetPath',
      'sourceDeletedAt',
    ])
    .where(ofDictionary)
    .where('status', 'not in', [Uploaded, InProcess])
    .where((row) => row.or([row('sourceDeletedAt', 'is', null), row('status', '=', IngestionSuccess)]))
    .where('id', 'not in', (query) =>
      query.selectFrom('impactFiles').where('impactId', '=', id).select('submissionId'),
    )
    .orderBy('id', 'desc')
    .limit(MAX_CANDIDATES)
    .execute()
}

export const countTried = async (db: Db, impactId: number): Promise<number> =>
  (await db.selectFrom('impactFiles').where('impactId', '=', impactId).select('submissionId').execute())
    .length

/** Adds what was found, only while the run has its lease: returns false if it was lost. */
export async function addTriedFile(
  db: Db,
  impact: ImpactRow,
  { id, status }: Pick<Upload, 'id' | 'status'>,
  outcome: ComparedFile,
): Promise<boolean> {
  const { rows } = await sql<{ impactId: number }>`
    insert into impact_files (impact_id, submission_id, status_before, outcome)
    select id, ${id}, ${status}, ${JSON.stringify(outcome)}
    from impacts where id = ${impact.id} and lease_id = ${impact.leaseId} for share
    returning impact_id
  `.execute(db)
  return rows.length > 0
}

export type TriedFile = Pick<SubmissionRow, 'companyId' | 'fileName' | 'createdAt'> & {
  submissionId: number
  companyName: string
  statusBefore: SubmissionStatus
  outcome: ComparedFile
}

/** By company, newest first. */
export const findTriedFiles = (db: Db, impactId: number): Promise<TriedFile[]> =>
  db
    .selectFrom('impactFiles')
    .innerJoin('submissions', 'submissions.id', 'impactFiles.submissionId')
    .innerJoin('companies', 'companies.id', 'submissions.companyId')
    .where('impactId', '=', impactId)
    .select(['submissionId', 'companyId', 'fileName', 'submissions.createdAt', 'statusBefore', 'outcome'])
    .select('companies.name as companyName')
    .orderBy(sql`lower(companies.name)`)
    .orderBy('companies.id')
    .orderBy('submissionId', 'desc')
    .execute()

/** Deletes those that are older than `days`, with what they found. Returns how many. */
export const deleteOldImpacts = (db: Db, days: number): Promise<number> =>
  countDeleted(
    db.deleteFrom('impacts').where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${days * 24})`),
  )
