import { sql, type Insertable } from 'kysely'
import { batchReads } from '#platform/database/shared-reads.ts'
import type { Database, Db } from '#platform/database/tables.ts'
import { countDeleted, countRows, hasRow } from '#platform/database/lists.ts'

type NewLink = Omit<Insertable<Database['passwordLinks']>, 'mailId'> & { messageId: string }

/** Of the e-mail that has this Message-ID. */
export async function addPasswordLink(db: Db, { messageId, ...link }: NewLink): Promise<void> {
  const mailId = db.selectFrom('mails').where('messageId', '=', messageId).select('id')
  await db
    .insertInto('passwordLinks')
    .values({ ...link, mailId })
    .execute()
}

/** Reset links made for the user within the last hour. */
export function countRecentResets(db: Db, userId: number): Promise<number> {
  const resets = db.selectFrom('passwordLinks').where('userId', '=', userId).where('purpose', '=', 'reset')
  return countRows(resets.where('createdAt', '>', sql<Date>`now() - interval '1 hour'`))
}

/** Invalidates the unused links of the users; with `purpose` only links of this purpose. */
export async function invalidatePasswordLinks(
  db: Db,
  userIds: readonly number[],
  purpose?: 'invitation' | 'reset',
): Promise<void> {
  const links = db
    .updateTable('passwordLinks')
    .set({ usedAt: sql`now()` })
    .where('userId', '=', sql<number>`any(${[...userIds]}::integer[])`)
    .where('usedAt', 'is', null)
  await (purpose === undefined ? links : links.where('purpose', '=', purpose)).execute()
}

/** The users of unused, unexpired links, by the hash of the link. */
const readOwners = batchReads(async (db, hashes: readonly string[]) => {
  const owners = await db
    .selectFrom('passwordLinks')
    .innerJoin('users', 'users.id', 'passwordLinks.userId')
    .leftJoin('companies', 'companies.id', 'users.companyId')
    .where('tokenHash', 'in', hashes)
    .where('users.deletedAt', 'is', null)
    .where('companies.deletedAt', 'is', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .select([
      'tokenHash',
      'users.id as userId',
      'users.email',
      'users.name',
      'users.companyId',
      'companies.name as company',
    ])
    .execute()
  return new Map(owners.map(({ tokenHash, ...owner }) => [tokenHash, owner] as const))
})

/** The user of an unused, unexpired link, or undefined. */
export async function findUserOfLink(db: Db, tokenHash: string, email: string) {
  const owner = await readOwners(db, tokenHash)
  return owner?.email.toLowerCase() === email.toLowerCase() ? owner : undefined
}

/** Marks the link as used; of several calls at once only the first returns true. */
export function markLinkUsed(db: Db, tokenHash: string): Promise<boolean> {
  const link = db
    .updateTable('passwordLinks')
    .set({ usedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
  return hasRow(link.where('expiresAt', '>', sql<Date>`now()`).returning('id'))
}

/** A day after their end: `countRecentResets` counts younger ones. Those of unsent e-mails have no end. */
export const deleteOldPasswordLinks = (db: Db): Promise<number> =>
  countDeleted(
    db
      .deleteFrom('passwordLinks')
      .where('expiresAt', '<', sql<Date>`now() - interval '1 day'`)
      .where((link) =>
        link.not(
          link.exists(
            link
              .selectFrom('mails')
              .select('mails.id')
              .whereRef('mails.id', '=', 'passwordLinks.mailId')
              .where('mails.sentAt', 'is', null),
          ),
        ),
      ),
  )
