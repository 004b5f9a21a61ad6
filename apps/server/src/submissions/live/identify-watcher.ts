import type { LiveHandshake, StatusPush } from '@veridict/contract/api/live'
import { rowsOfCompany } from '#platform/database/database.ts'
import { shareRead } from '#platform/database/shared-reads.ts'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#platform/identity/tokens.ts'
import { scopeOf, type Scope } from '#platform/access/viewer.ts'
import { findViewerOf } from '#platform/access/find-viewer.ts'
import { findRecentSubmissions } from '#submissions/submission-history.ts'

/** The user of a live connection, whose submissions are sent, and when the token expires. */
export type Watcher = { scope: Scope; userId: number; sessionId: string; expiresAt: Date }

/** Key, role and user id can be guessed, so the token decides, and `UserId` must agree; null if not valid. */
export async function identifyWatcher(
  { ApiKey, UserId, AccessToken }: LiveHandshake,
  deps: Pick<Deps, 'db' | 'tokens' | 'env'>,
): Promise<Watcher | null> {
  if (!equalInConstantTime(ApiKey, deps.env.apiKey)) return null
  const claims = deps.tokens.readAccess(AccessToken)
  const viewer = await findViewerOf(claims, deps)
  if (claims === null || viewer === null || viewer.userId !== Number(UserId)) return null
  const { userId, companyId, sessionId } = viewer
  const scope = scopeOf({ userId, companyId: companyId ?? NO_COMPANY }, deps.env.historyScope)
  return { scope, userId, sessionId, expiresAt: new Date(claims.exp * 1000) }
}

/** Ids of companies start at 1. */
const NO_COMPANY = 0

/** Of the last minute, as a page misses those between loading and connecting. Connections share a read. */
export function readRecentPushes(scope: Scope, { db }: Pick<Deps, 'db'>): Promise<readonly StatusPush[]> {
  if (scope.companyId === NO_COMPANY) return Promise.resolve([])
  const rows = rowsOfCompany(db, scope.companyId)
  return shareRead(rows, `recent pushes ${JSON.stringify(scope)}`, async () =>
    (await findRecentSubmissions(rows, scope)).map(({ id, status, recordsCount }) => ({
      FileId: id,
      FilesStatus: status,
      RecordCount: recordsCount,
    })),
  )
}
