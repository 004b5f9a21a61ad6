import type { Paging } from '@veridict/contract/api/endpoint'
import { fieldFromWire, type WireField } from '@veridict/contract/api/wire-field'
import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { utcDay } from '@veridict/contract/notation/utc-day'
import type { DatedRuleBook } from '@veridict/engine'
import { sql } from 'kysely'
import { found } from '#errors.ts'
import { inScope, type Scope } from '#platform/access/viewer.ts'
import type { Db, DictionaryRow, Trx, SubmissionRow } from '#platform/database/tables.ts'
import {
  containing,
  countColumn,
  countRows,
  type ListPage,
  pageByName,
  pageOf,
  type PlaceInList,
  withCount,
} from '#platform/database/lists.ts'
import { createRecentValues, type RecentValues } from '#platform/database/recent-values.ts'
import { entryOf } from '#platform/database/shared-reads.ts'
import { rowsOf } from '#platform/database/rows.ts'

export type DictionarySummary = Pick<DictionaryRow, 'id' | 'name' | 'updatedAt'> & { fieldCount: number }

const livingDictionaries = (db: Db) => db.selectFrom('dictionaries').where('deletedAt', 'is', null)

export const countDictionaries = (db: Db): Promise<number> => countRows(livingDictionaries(db))

/** A page by name. Fields are counted only for its rows, so that 10,000 dictionaries stay quick. */
export function findDictionaries(db: Db, paging: Paging): Promise<ListPage<DictionarySummary>> {
  const matching = livingDictionaries(db).$call(containing(paging.SearchText, ['name']))
  const page = db
    .with('page', () => pageByName(matching.select(['id', 'name', 'updatedAt']), paging))
    .selectFrom('page')
    .selectAll('page')
    .select((row) =>
      countColumn(row.selectFrom('fields').whereRef('fields.dictionaryId', '=', 'page.id')).as('fieldCount'),
    )
    .orderBy(sql`lower(page.name)`)
    .orderBy('page.id')
  return withCount(page.execute(), matching)
}

/** The id of the present version, as a part of a statement about `dictionaries`. */
export const presentVersionId = sql<number>`(
  select id from dictionary_versions
  where dictionary_id = dictionaries.id and revision = dictionaries.revision
)`

/**
 * Not a deleted one: throws 404, like those that lock it. `editorName` is the user who changed it last,
 * deleted or not; null if the portal itself did. `versionId`: of the present version.
 */
export const readDictionary = (db: Db, id: number) =>
  found(
    livingDictionaries(db)
      .where('id', '=', id)
      .selectAll()
      .select((row) => [
        presentVersionId.as('versionId'),
        row
          .selectFrom('users')
          .whereRef('users.id', '=', 'dictionaries.updatedBy')
          .select('users.name')
          .as('editorName'),
      ])
      .executeTakeFirst(),
    'Data dictionary',
  )

const livingDictionary = (trx: Trx, id: number) => livingDictionaries(trx).where('id', '=', id).selectAll()

/** Others who want to change the dictionary or its fields wait until the transaction ends. */
export const lockDictionary = (trx: Trx, id: number): Promise<DictionaryRow> =>
  found(livingDictionary(trx, id).forNoKeyUpdate().executeTakeFirst(), 'Data dictionary')

/** Until the transaction ends it cannot be changed or deleted; others may take the same lock. */
export const lockDictionaryForShare = (trx: Trx, id: number): Promise<DictionaryRow> =>
  found(livingDictionary(trx, id).forShare().executeTakeFirst(), 'Data dictionary')

/** Deletes softly: the versions that submissions point at stay, the name is free again, companies lose it. */
export async function markDictionaryDeleted(trx: Trx, id: number, userId: number | null): Promise<void> {
  const deleted = { deletedAt: sql<Date>`now()`, updatedAt: sql<Date>`now()`, updatedBy: userId }
  await trx.updateTable('dictionaries').set(deleted).where('id', '=', id).execute()
  await trx.deleteFrom('companyDictionaries').where('dictionaryId', '=', id).execute()
}

export async function findVersionFields(db: Db, versionId: number): Promise<Field[]> {
  const rows = await rowsOf<{ content: WireField }>(db)`
    select frozen_fields.content
    from dictionary_versions
    cross join unnest(field_ids) with ordinality as placed (id, position)
    join frozen_fields on frozen_fields.id = placed.id
    where dictionary_versions.id = ${versionId}
    order by placed.position`
  return rows.map(({ content }) => fieldFromWire(content))
}

async function findVersion(db: Db, versionId: number) {
  const version = await db
    .selectFrom('dictionaryVersions')
    .leftJoin('ruleBooks', 'ruleBooks.id', 'dictionaryVersions.ruleBookId')
    .where('dictionaryVersions.id', '=', versionId)
    .select(['name', 'revision', 'ruleBooks.content'])
    .executeTakeFirstOrThrow()
  const { content, ...named } = version
  return { ...named, ruleBook: content ?? emptyRuleBook }
}

/** The limit for the JSON of all cached versions; in memory they need three or four times as much. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024
export type WholeVersion = { name: string; revision: number; fields: readonly Field[]; ruleBook: RuleBook }
const cachedVersions = new WeakMap<Db, RecentValues<WholeVersion>>()

/** Cached in memory, as versions never change. Callers with the same `shared` share the cache. */
export function findWholeVersion(db: Db, versionId: number, shared = db): Promise<WholeVersion> {
  const sizeOf = ({ fields, ruleBook }: WholeVersion) => JSON.stringify([fields, ruleBook]).length
  const cached = entryOf(cachedVersions, shared, () => createRecentValues(MAX_CACHED_BYTES, sizeOf))
  return cached(versionId, () => readWholeVersion(db, versionId))
}

async function readWholeVersion(db: Db, versionId: number): Promise<WholeVersion> {
  const [version, fields] = await Promise.all([findVersion(db, versionId), findVersionFields(db, versionId)])
  return { ...version, fields }
}

/** What a submission is validated by: its version of the dictionary, on the day of its upload. */
export async function findDictionaryOf(
  db: Db,
  { dictionaryVersionId, createdAt }: Pick<SubmissionRow, 'dictionaryVersionId' | 'createdAt'>,
): Promise<{ fields: readonly Field[]; ruleBook: DatedRuleBook }> {
  const { fields, ruleBook } = await findWholeVersion(db, dictionaryVersionId)
  return { fields, ruleBook: { ...ruleBook, day: utcDay(createdAt) } }
}

/** By which version of a dictionary a submission in the scope was validated, and when it was uploaded. */
export const findVersionOfSubmission = (db: Db, scope: Scope, id: number, dictionaryId: number) =>
  inScope(db, scope)
    .innerJoin('dictionaryVersions', 'dictionaryVersions.id', 'dictionaryVersionId')
    .where('submissions.id', '=', id)
    .where('dictionaryId', '=', dictionaryId)
    .select(['dictionaryVersionId as versionId', 'name', 'submissions.createdAt as now'])
    .executeTakeFirst()

/** The dictionary that a version belongs to, deleted or not, and the number of the version. */
export const findVersionOwner = (db: Db, versionId: number) =>
  db
    .selectFrom('dictionaryVersions')
    .where('id', '=', versionId)
    .select(['dictionaryId', 'revision'])
    .executeTakeFirstOrThrow()

/** Lines of a dictionary's history. `changedBy`: a name, also of a deleted user; null for the portal. */
const summaries = (db: Db, dictionaryId: number) =>
  db
    .selectFrom('dictionaryVersions')
    .leftJoin('users', 'users.id', 'dictionaryVersions.changedBy')
    .where('dictionaryId', '=', dictionaryId)
    .select([
      'dictionaryVersions.id',
      'revision',
      'dictionaryVersions.name',
      'changedAt',
      'change',
      'users.name as changedBy',
    ])
    .select(sql<number>`cardinality(field_ids)`.as('fieldCount'))

/** A page of a dictionary's versions, newest first. */
export const findVersions = (db: Db, dictionaryId: number, place: PlaceInList) =>
  withCount(
    pageOf(summaries(db, dictionaryId).orderBy('revision', 'desc'), place).execute(),
    db.selectFrom('dictionaryVersions').where('dictionaryId', '=', dictionaryId),
  )

export const findVersionOf = (db: Db, dictionaryId: number, revision: number) =>
  summaries(db, dictionaryId).where('revision', '=', revision).executeTakeFirst()
export type VersionSummary = NonNullable<Awaited<ReturnType<typeof findVersionOf>>>
