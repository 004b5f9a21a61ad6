import { sql, type Kysely, type Transaction } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { batchReads } from '#platform/database/shared-reads.ts'
import type { CompanyTokenRow, Database } from '#platform/database/tables.ts'
import type { TokenViewer } from '#platform/access/viewer.ts'
import { stopWrites } from '#platform/access/authority.ts'

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
    ])
    .select(isUseDue.as('isUseDue'))
  const rows = await runPrepared(db, tokens)
  const due = rows.filter((row) => row.isUseDue).map(({ tokenId }) => tokenId)
  if (due.length > 0) await recordUses(db, due)
  return new Map(
    rows.map(({ tokenHash, tokenId, companyId, name, scope }): [string, TokenViewer] => [
      tokenHash,
      { tokenId, companyId, name, scope, role: 'token' },
    ]),
  )
})

/**
 * The token with this hash, or null if there is none, it expired or was revoked, or its company was deleted.
 * Runs in every request with a token, also one that was guessed, so that all of that takes effect at once.
 */
export const findTokenViewer = async (db: Kysely<Database>, tokenHash: string): Promise<TokenViewer | null> =>
  (await readTokens(db, tokenHash)) ?? null

/** Skips rows that others have locked: they record the same use, or the token is being revoked. */
async function recordUses(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
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

/** The tokens of a company that are not revoked, expired ones too, newest first. */
export function findCompanyTokens(db: Kysely<Database>, companyId: number): Promise<CompanyTokenRow[]> {
  return db
    .selectFrom('companyTokens')
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
    .selectAll()
    .orderBy('id', 'desc')
    .execute()
}

export function insertCompanyToken(
  trx: Transaction<Database>,
  {
    expiresInDays,
    ...token
  }: Pick<CompanyTokenRow, 'companyId' | 'name' | 'tokenHash' | 'scope' | 'creatorId' | 'creatorEmail'> & {
    expiresInDays: number
  },
): Promise<CompanyTokenRow> {
  const expiresAt = sql<Date>`now() + make_interval(hours => ${expiresInDays * 24})`
  return trx
    .insertInto('companyTokens')
    .values({ ...token, expiresAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The tokens that work, end within `days` and were made for longer than that. Each is returned once: by the
 * first transaction that commits.
 */
export function claimEndingTokens(
  trx: Transaction<Database>,
  days: number,
): Promise<(CompanyTokenRow & { companyName: string })[]> {
  const life = sql`make_interval(hours => ${days * 24})`
  return trx
    .updateTable('companyTokens')
    .from('companies')
    .set({ endMailAt: sql<Date>`now()` })
    .whereRef('companies.id', '=', 'companyTokens.companyId')
    .where('companies.deletedAt', 'is', null)
    .where('endMailAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('expiresAt', '<=', sql<Date>`now() + ${life}`)
    .where('expiresAt', '>', sql<Date>`company_tokens.created_at + ${life}`)
    .returningAll('companyTokens')
    .returning('companies.name as companyName')
    .execute()
}

/** Returns undefined if the company has no such token, or it was already revoked. */
export async function markTokenRevoked(
  trx: Transaction<Database>,
  companyId: number,
  id: number,
): Promise<CompanyTokenRow | undefined> {
  await stopWrites(trx, { tokenId: id })
  return revocation(trx, companyId).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Revokes all tokens of a company; returns them. */
export const markTokensRevoked = (
  trx: Transaction<Database>,
  companyId: number,
): Promise<Pick<CompanyTokenRow, 'id' | 'name'>[]> =>
  revocation(trx, companyId).returning(['id', 'name']).execute()

const revocation = (trx: Transaction<Database>, companyId: number) =>
  trx
    .updateTable('companyTokens')
    .set({ revokedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
