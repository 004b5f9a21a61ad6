import type { LiveHandshake, StatusPush } from '@veridict/contract/api/live'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#drivers/tokens.ts'
import { scopeOf, type Scope } from '#policies/scope.ts'
import { findViewer } from '#repositories/sessions.ts'
import { findRecentSubmissions } from '#repositories/submissions.ts'

/** Who watches, what they may hear, and when their token ends. */
export type Watcher = { scope: Scope; userId: number; sessionId: string; expiresAt: Date }

/**
 * Whom the handshake of a live connection stands for. Key, role and user id can be guessed; the token cannot,
 * so the user is taken from it, and `UserId` must agree. null for everything else. Administrators may
 * connect, and have no company to hear of.
 */
export async function identifyWatcher(
  { ApiKey, UserId, AccessToken }: LiveHandshake,
  deps: Pick<Deps, 'db' | 'tokens' | 'env'>,
): Promise<Watcher | null> {
  if (!equalInConstantTime(ApiKey, deps.env.apiKey)) return null
  const claims = await deps.tokens.readAccess(AccessToken)
  if (claims === null || claims.nameid !== String(UserId)) return null
  const viewer = await findViewer(deps.db, claims.sid)
  if (viewer === null || String(viewer.userId) !== claims.nameid) return null
  const { userId, companyId, sessionId } = viewer
  const scope = scopeOf({ userId, companyId: companyId ?? NO_COMPANY }, deps.env.historyScope)
  return { scope, userId, sessionId, expiresAt: new Date(claims.exp * 1000) }
}

/** Ids of companies begin with 1. */
const NO_COMPANY = 0

/**
 * The latest state of what moved within the last minute. Told at the beginning of every connection: whatever
 * moved between reading the page and listening would be missed otherwise.
 */
export async function readRecentNews(scope: Scope, { db }: Pick<Deps, 'db'>): Promise<StatusPush[]> {
  const submissions = await findRecentSubmissions(db, scope)
  return submissions.map(({ id, status, recordsCount }) => ({
    FileId: id,
    FilesStatus: status,
    RecordCount: recordsCount,
  }))
}
