import { sql } from 'kysely'
import { uploadStopOf } from '#platform/access/upload-stop.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { batchReads } from '#platform/database/shared-reads.ts'
import type { Db } from '#platform/database/tables.ts'

const readViewers = batchReads(async (db, sessionIds: readonly string[]) => {
  const viewers = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('companies', 'companies.id', 'users.companyId')
    .select([
      'users.id as userId',
      'users.companyId',
      'users.role',
      'users.name',
      'users.email',
      'sessions.id as sessionId',
      uploadStopOf(sql.ref('users.companyId')).as('uploadStop'),
    ])
    .where('sessions.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where('users.deletedAt', 'is', null)
    .where('companies.deletedAt', 'is', null)
  return new Map((await runPrepared(db, viewers)).map((viewer) => [viewer.sessionId, viewer]))
})

/**
 * The user of a session, or null if the session ended or expired, or its user or company was deleted. Read in
 * every request (by primary keys, together with others that wait), so that logging out and deletions take
 * effect at once.
 */
export const findViewer = async (db: Db, sessionId: string): Promise<Viewer | null> =>
  (await readViewers(db, sessionId)) ?? null

/** The time of the last use is exact to this interval: more frequent uses are not written. */
const USE_INTERVAL = sql`interval '1 minute'`

/** Also after a clock was set back. */
const isUseDue = sql<boolean>`(
  last_used_at is null or last_used_at not between now() - ${USE_INTERVAL} and now()
)`

/** The tokens with these hashes. Records their use. */
const readTokens = batchReads(async (db, hashes: readonly string[]) => {
  const tokens = db
    .selectFrom('companyTokens')
    .innerJoin('companies', 'companies.id', 'companyTokens.companyId')
    .where('tokenHash', '=', sql<string>`any(${hashes}::text[])`)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('companies.deletedAt', 'is', null)
    .select([
      'tokenHash',
      'companyTokens.id as tokenId',
      'companyTokens.companyId',
      'companyTokens.name',
      'scope',
      uploadStopOf(sql.ref('companyTokens.companyId')).as('uploadStop'),
    ])
    .select(isUseDue.as('isUseDue'))
  const rows = await runPrepared(db, tokens)
  const due = rows.filter((row) => row.isUseDue).map(({ tokenId }) => tokenId)
  if (due.length > 0) await recordUses(db, due)
  return new Map(
    rows.map(({ tokenHash, isUseDue: _isUseDue, ...token }): [string, TokenViewer] => [
      tokenHash,
      { ...token, role: 'token' },
    ]),
  )
})

/**
 * The token with this hash, or null if there is none, it expired or was revoked, or its company was deleted.
 * Runs in every request with a token, also one that was guessed, so that all of that takes effect at once.
 */
export const findTokenViewer = async (db: Db, tokenHash: string): Promise<TokenViewer | null> =>
  (await readTokens(db, tokenHash)) ?? null

/** Skips rows that others have locked: they record the same use, or the token is being revoked. */
async function recordUses(db: Db, ids: readonly number[]): Promise<void> {
  const due = db
    .selectFrom('companyTokens')
    .where('id', 'in', ids)
    .where(isUseDue)
    .select('id')
    .forUpdate()
    .skipLocked()
  await db
    .updateTable('companyTokens')
    .set({ lastUsedAt: sql<Date>`now()` })
    .where('id', 'in', due)
    .execute()
}
