import type { Db, UserRow } from '#platform/database/tables.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { TOKEN_SECRET } from '#test/chaos/server-environment.ts'
import { buildAccessToken, buildCompany, buildDictionary, buildUser } from '#test/factories.ts'

const COMPANIES = 3
export const CLERKS_PER_COMPANY = 4

export type Clerk = { user: UserRow; token: string; dictionaryId: number }

/** Clerks of some companies, each company with a dictionary; those of one company follow each other. */
export async function buildClerks(db: Db): Promise<Clerk[]> {
  const tokens = createTokens({ tokenSecret: TOKEN_SECRET, accessTokenMinutes: 600 })
  const clerks: Clerk[] = []
  for (let company = 0; company < COMPANIES; company++) {
    const { id: companyId } = await buildCompany(db)
    const { id: dictionaryId } = await buildDictionary(db, { companyId })
    for (let number = 0; number < CLERKS_PER_COMPANY; number++) {
      const user = await buildUser(db, { companyId })
      clerks.push({ user, token: await buildAccessToken({ db, tokens }, user), dictionaryId })
    }
  }
  return clerks
}
