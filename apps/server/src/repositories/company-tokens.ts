import { sql, type Kysely, type Transaction } from 'kysely'
import type { CompanyTokenRow, Database } from '#db/tables.ts'
import type { TokenViewer } from '#policies/viewer.ts'

/** How exact the time of the last use is: a busy token writes once in this time. */
const USE_INTERVAL = sql`interval '1 minute'`

/**
 * The token with this hash, or null if there is none, it expired or was revoked, or its company was deleted.
 * Records the use. Runs in every request with a token, so that all of that takes effect at once.
 */
export async function findTokenViewer(db: Kysely<Database>, tokenHash: string): Promise<TokenViewer | null> {
  const row = await db
    .selectFrom('companyTokens')
    .innerJoin('companies', 'companies.id', 'companyTokens.companyId')
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('companies.deletedAt', 'is', null)
    .select(['companyTokens.id as tokenId', 'companyTokens.companyId', 'companyTokens.name'])
    // Also after a clock was set back.
    .select(
      sql<boolean>`last_used_at is null or last_used_at not between now() - ${USE_INTERVAL} and now()`.as(
        'isUseDue',
      ),
    )
    .executeTakeFirst()
  if (!row) return null
  const { isUseDue, ...token } = row
  if (isUseDue) await recordUse(db, token.tokenId)
  return { ...token, role: 'token' }
}

async function recordUse(db: Kysely<Database>, id: number): Promise<void> {
  const lastUsedAt = sql<Date>`now()`
  await db.updateTable('companyTokens').set({ lastUsedAt }).where('id', '=', id).execute()
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
  { expiresInDays, ...token }: { companyId: number; name: string; tokenHash: string; expiresInDays: number },
): Promise<CompanyTokenRow> {
  const expiresAt = sql<Date>`now() + make_interval(hours => ${expiresInDays * 24})`
  return trx
    .insertInto('companyTokens')
    .values({ ...token, expiresAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** undefined if the company has no such token, or it was revoked before. */
export function markTokenRevoked(
  trx: Transaction<Database>,
  companyId: number,
  id: number,
): Promise<CompanyTokenRow | undefined> {
  return trx
    .updateTable('companyTokens')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
