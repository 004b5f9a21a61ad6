import { sql } from 'kysely'
import type { CompanyTokenRow, Db, Trx } from '#platform/database/tables.ts'
import { stopWrites } from '#platform/access/authority.ts'

/** The tokens of a company that are not revoked, expired ones too, newest first. */
export function findCompanyTokens(db: Db, companyId: number): Promise<CompanyTokenRow[]> {
  return db
    .selectFrom('companyTokens')
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
    .selectAll()
    .orderBy('id', 'desc')
    .execute()
}

export function insertCompanyToken(
  trx: Trx,
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

/** Valid tokens that end within `days` and were made for longer. Only one transaction gets each. */
export function claimEndingTokens(trx: Trx, days: number) {
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
export async function markTokenRevoked(trx: Trx, companyId: number, id: number) {
  await stopWrites(trx, { tokenId: id })
  return revocation(trx, companyId).where('id', '=', id).returningAll().executeTakeFirst()
}

export const markTokensRevoked = (trx: Trx, companyId: number) =>
  revocation(trx, companyId).returning(['id', 'name']).execute()

const revocation = (trx: Trx, companyId: number) =>
  trx
    .updateTable('companyTokens')
    .set({ revokedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('revokedAt', 'is', null)
