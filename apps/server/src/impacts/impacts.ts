import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { ComparedFile } from '@veridict/engine/compare-dictionaries'
import { sql } from 'kysely'
import type { TriedDictionary } from '#dictionaries/rule-books.ts'
import { tooManyRequests } from '#errors.ts'
import { countDeleted, countRows } from '#platform/database/lists.ts'
import type { Db, ImpactRow, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { isFree } from '#platform/jobs/leases.ts'
import { rowsOf } from '#platform/database/rows.ts'

/** More than one file takes; then another process goes on where one has died. */
const LEASE_SECONDS = 180
/** After that it ends with the files that were validated until then, so that no one waits for ever. */
const MAX_SECONDS = 15 * 60
/** Uploads that are validated, and those that are looked at, because some have no bytes any more. */
const MAX_FILES = 20
const MAX_CANDIDATES = 100

/** More would wait for hours where files are large. */
const MAX_WAITING = 20
const RETRY_SECONDS = 30

/** Returns the id. Throws 429 while too many wait. */
export async function insertImpact(
  trx: Trx,
  { draft, ...of }: Pick<ImpactRow, 'dictionaryId' | 'dictionaryVersionId'> & { draft: TriedDictionary },
): Promise<number> {
  const waiting = await countRows(trx.selectFrom('impacts').where('doneAt', 'is', null))
  if (waiting >= MAX_WAITING) throw tooManyRequests(RETRY_SECONDS)
  const insert = trx.insertInto('impacts').values({ ...of, draft: JSON.stringify(draft) })
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

const impactOf = (db: Db, dictionaryId: number, id: number) =>
  db.selectFrom('impacts').where('id', '=', id).where('dictionaryId', '=', dictionaryId)

export const findImpact = (db: Db, dictionaryId: number, id: number): Promise<ImpactRow | undefined> =>
  impactOf(db, dictionaryId, id).selectAll().executeTakeFirst()

/** Without its draft, which may have megabytes: a page asks every second. */
export const findImpactEnd = (db: Db, dictionaryId: number, id: number) =>
  impactOf(db, dictionaryId, id).select('doneAt').executeTakeFirst()

/** Whether the rule was not announced before: its clerks get one e-mail, whatever is sent twice. */
export async function markAnnounced(trx: Trx, id: number, rule: string): Promise<boolean> {
  const all = sql`coalesce(draft -> 'announced', '[]') || to_jsonb(${rule}::text)`
  const { numUpdatedRows } = await trx
    .updateTable('impacts')
    .set({ draft: sql`jsonb_set(draft, '{announced}', ${all})` })
    .where('id', '=', id)
    .where(sql<boolean>`not coalesce(draft -> 'announced' ? ${rule}, false)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type ClaimedImpact = ImpactRow & { isLate: boolean }

/** The oldest that waits, for one file. A lost lease does no harm: a file tried twice is stored once. */
export async function claimImpact(db: Db): Promise<ClaimedImpact | undefined> {
  const [impact] = await rowsOf<ClaimedImpact>(db)`
    update impacts
    set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
      started_at = coalesce(started_at, now())
    where id = (
      select id from impacts
      where done_at is null and ${isFree}
      order by id limit 1 for update skip locked
    )
    returning *, started_at < now() - make_interval(secs => ${MAX_SECONDS}) as is_late`
  return impact
}

/** Ends the lease, so that the next file can be tried; `isDone`: there is none. */
export async function endTurn(db: Db, id: number, isDone: boolean): Promise<void> {
  const turn = db.updateTable('impacts').set({ leaseUntil: null, doneAt: isDone ? sql`now()` : null })
  await turn.where('id', '=', id).execute()
}

/** The newest untried one that may have its bytes, not of deleted companies; none if enough were tried. */
export function findNextUpload(db: Db, { id, dictionaryId }: Pick<ImpactRow, 'id' | 'dictionaryId'>) {
  const { Uploaded, InProcess, IngestionSuccess } = SubmissionStatus
  // As an array, so that PostgreSQL reads the newest rows and does not sort those of all versions.
  const ofDictionary = sql<boolean>`dictionary_version_id = any(array(
    select id from dictionary_versions where dictionary_id = ${dictionaryId}))`
  const isWanted = sql<boolean>`not exists (
      select from impact_files where impact_id = ${id} and submission_id = submissions.id
    ) and (
      select count(outcome) < ${MAX_FILES} and count(*) < ${MAX_CANDIDATES}
      from impact_files where impact_id = ${id}
    )`
  return db
    .selectFrom('submissions')
    .selectAll()
    .where(ofDictionary)
    .where(sql<boolean>`company_id in (select id from companies where deleted_at is null)`)
    .where('status', 'not in', [Uploaded, InProcess])
    .where((row) => row.or([row('sourceDeletedAt', 'is', null), row('status', '=', IngestionSuccess)]))
    .where(isWanted)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** `outcome` is null for an upload whose bytes are gone, or that could not be validated. */
export async function addTriedFile(
  db: Db,
  impactId: number,
  { id: submissionId, status: statusBefore }: SubmissionRow,
  outcome: ComparedFile | null,
): Promise<void> {
  const file = { impactId, submissionId, statusBefore, outcome: outcome && JSON.stringify(outcome) }
  const insert = db.insertInto('impactFiles').values(file)
  await insert.onConflict((conflict) => conflict.doNothing()).execute()
}

/** The validated files by company, newest first; none of companies that were deleted. */
export const findTriedFiles = (db: Db, impactId: number) =>
  db
    .selectFrom('impactFiles')
    .innerJoin('submissions', 'submissions.id', 'impactFiles.submissionId')
    .innerJoin('companies', 'companies.id', 'submissions.companyId')
    .where('impactId', '=', impactId)
    .where('outcome', 'is not', null)
    .where('companies.deletedAt', 'is', null)
    .select(['submissionId', 'companyId', 'fileName', 'submissions.createdAt', 'statusBefore', 'outcome'])
    .select('companies.name as companyName')
    .$narrowType<{ outcome: ComparedFile }>()
    .orderBy(sql`lower(companies.name)`)
    .orderBy('companies.id')
    .orderBy('submissionId', 'desc')
    .execute()

/** How many of the uploads could not be tried: their bytes are gone, or validating them failed. */
export const countUntried = (db: Db, impactId: number): Promise<number> =>
  countRows(db.selectFrom('impactFiles').where('impactId', '=', impactId).where('outcome', 'is', null))

/** Deletes those that are older than `days`, with what they found. Returns how many. */
export const deleteOldImpacts = (db: Db, days: number): Promise<number> =>
  countDeleted(
    db.deleteFrom('impacts').where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${days * 24})`),
  )
