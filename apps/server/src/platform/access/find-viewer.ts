import type { AccessClaims } from '@veridict/contract/notation/access-claims'
import { sql } from 'kysely'
import { uploadStopOf } from '#platform/access/upload-stop.ts'
import type { TokenViewer, Viewer } from '#platform/access/viewer.ts'
import { unlimitedTables } from '#platform/database/database.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { batchReads } from '#platform/database/shared-reads.ts'
import type { Db } from '#platform/database/tables.ts'

const readViewers = batchReads(async (db, sessionIds: readonly string[]) => {
  const viewers = sql<Viewer>`
    select users.id as user_id, users.company_id, users.role, users.name, users.email,
      sessions.id as session_id, ${uploadStopOf(sql.ref('users.companyId'))} as upload_stop
    from sessions join users on users.id = sessions.user_id
      left join companies on companies.id = users.company_id
    where sessions.id = any (${sessionIds}::uuid[])
      and sessions.ended_at is null and sessions.expires_at > now()
      and users.deleted_at is null and companies.deleted_at is null`
  return new Map((await runPrepared(db, viewers)).map((viewer) => [viewer.sessionId, viewer]))
})

/** null if session, user or company ended. Read in every request, so that logouts take effect at once. */
export const findViewer = async (db: Db, sessionId: string): Promise<Viewer | null> =>
  (await readViewers(db, sessionId)) ?? null

/** null if it is not valid (any more). */
export async function findViewerOf(claims: AccessClaims | null, { db }: { db: Db }): Promise<Viewer | null> {
  if (claims === null) return null
  const viewer = await findViewer(unlimitedTables(db), claims.sid)
  return viewer !== null && String(viewer.userId) === claims.nameid ? viewer : null
}

/** The time of the last use is exact to this interval: more frequent uses are not written. */
const USE_INTERVAL = sql`interval '1 minute'`

/** Also after a clock was set back. */
const isUseDue = sql<boolean>`(
  last_used_at is null or last_used_at not between now() - ${USE_INTERVAL} and now()
)`

/** Records their use. */
const readTokens = batchReads(async (db, hashes: readonly string[]) => {
  const tokens = sql<Omit<TokenViewer, 'role'> & { tokenHash: string; isUseDue: boolean }>`
    select token_hash, tokens.id as token_id, tokens.company_id, tokens.name, scope,
      ${uploadStopOf(sql.ref('tokens.companyId'))} as upload_stop, ${isUseDue} as is_use_due
    from company_tokens as tokens join companies on companies.id = tokens.company_id
    where token_hash = any (${hashes}::text[]) and revoked_at is null and expires_at > now()
      and companies.deleted_at is null`
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

/** null unless token and company are valid. Runs in every request with a token, also one that was guessed. */
export const findTokenViewer = async (db: Db, tokenHash: string): Promise<TokenViewer | null> =>
  (await readTokens(db, tokenHash)) ?? null

/** Skips rows that others have locked: they record the same use, or the token is being revoked. */
async function recordUses(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update company_tokens set last_used_at = now() where id in (
      select id from company_tokens where id = any (${ids}::integer[]) and ${isUseDue}
      for update skip locked
    )`.execute(db)
}
