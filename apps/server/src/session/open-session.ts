import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { UserTokens, logIn } from '@veridict/contract/api/session'
import { sessionTimes } from '@veridict/contract/limits'
import { sessionMessages } from '@veridict/contract/messages/session'
import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { unauthorized } from '#errors.ts'
import { findViewer } from '#platform/access/find-viewer.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import type { Trx, UserRow, SessionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { BrowserClaims, RefreshClaims } from '#platform/identity/tokens.ts'
import { rememberAddress } from '#session/wrong-passwords.ts'
import { endOneSession, endSurplusSessions, ownerOf } from '#users/end-user-sessions.ts'
import { takeTicket } from '#users/identities.ts'
import { addSession, lockSession, rotateSession, findSessionsOfUser } from '#users/sessions.ts'
import { lockUser } from '#users/users.ts'

/** Device and address in words that people recognize; of a known browser also its last user. */
export type LoginPlace = { device: string; address: string; browser: BrowserClaims | null }

export type OpenSessionDeps = Pick<
  Deps,
  'db' | 'bus' | 'ids' | 'clock' | 'env' | 'tokens' | 'limits' | 'caller'
>

const DAY = 24 * 60 * 60 * 1000

/**
 * Also remembers the address and records the login. `ticketHash`: of a single sign-on, none for a password.
 * Throws 401 if since `user` was read the user was deleted or got another password or e-mail, or the ticket
 * was used or ended, and 429 after too many logins of this user.
 */
export async function openSession(
  user: UserRow,
  { device, address }: LoginPlace,
  deps: OpenSessionDeps,
  ticketHash?: string,
): Promise<UserTokens> {
  await deps.limits.logins.take(String(user.id))
  const sessionId = deps.ids.uuid()
  const now = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    const present = await lockUser(trx, user.id)
    if (present?.passwordHash !== user.passwordHash || present.email !== user.email)
      throw unauthorized(sessionMessages.sessionEnded)
    const origin = ticketHash === undefined ? {} : await takeTicket(trx, ticketHash)
    if (origin === undefined) throw unauthorized(signOnMessages.failed)
    await rememberAddress(trx, { userId: user.id, address })
    await endSurplusSessions(user, trx, deps)
    const expiresAt = sessionExpiry(now, deps)
    await addSession(trx, { id: sessionId, userId: user.id, expiresAt, device, address, ...origin })
    const { email: subject, companyId } = user
    const known = { ...(device !== '' && { device }), ...(ticketHash && { method: 'single sign-on' }) }
    const detail = Object.keys(known).length === 0 ? {} : onlyAfter(known)
    await recordAudit({ action: 'login.succeeded', subject, actor: user, companyId, detail }, trx, deps)
  })
  return issueTokens({ userId: user.id, role: user.role, email: user.email, sessionId }, 1, deps)
}

/** When a refresh token expires that is issued now, of a session that began at `start`. */
const sessionExpiry = (start: Date, { clock, env }: Pick<Deps, 'clock' | 'env'>): Date =>
  new Date(
    Math.min(clock.now().getTime() + env.refreshTokenDays * DAY, start.getTime() + sessionTimes.longest),
  )

/** The refresh token depends on session and generation alone, so the same one can be issued again. */
function issueTokens(
  subject: Parameters<Deps['tokens']['issueAccess']>[0],
  generation: number,
  { tokens }: Pick<Deps, 'tokens'>,
): UserTokens {
  return {
    accessToken: tokens.issueAccess(subject),
    refreshToken: tokens.refreshToken({ sessionId: subject.sessionId, generation }),
  }
}

type RefreshDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'env' | 'tokens' | 'log' | 'caller' | 'limits'>
type Outcome = { viewer: Viewer; generation: number } | 'ended' | 'reused'

const GRACE_SECONDS = sessionTimes.refreshGrace / 1000

/**
 * The newest token advances the session. For 30 s the one before gives the same successor: two tabs may
 * refresh at once. Any other old token is theft and ends the session. Throws 401, and 429 while too many
 * wait.
 */
export async function refreshSession(refreshToken: string, deps: RefreshDeps): Promise<UserTokens> {
  const claims = deps.tokens.readRefresh(refreshToken)
  if (claims === null) throw unauthorized(sessionMessages.sessionEnded)
  // Returned and not thrown: throwing would roll back the end of the session.
  const outcome = await inTurn(claims, deps, () => inTransaction(deps.db, (trx) => rotate(claims, trx, deps)))
  if (outcome === 'reused')
    deps.log.warn(
      { sessionId: claims.sessionId },
      'an old refresh token was used again; its session was ended',
    )
  if (typeof outcome === 'string') throw unauthorized(sessionMessages.sessionEnded)
  return issueTokens(outcome.viewer, outcome.generation, deps)
}

/** Refreshes of one session wait here and not for its row, each with a connection. */
const inTurn = <T>(
  { sessionId }: RefreshClaims,
  { limits }: RefreshDeps,
  work: () => Promise<T>,
): Promise<T> => limits.refreshesOfSession.run(sessionId, () => limits.refreshes.run('all', work))

async function rotate(claims: RefreshClaims, trx: Trx, deps: RefreshDeps): Promise<Outcome> {
  const session = await lockSession(trx, claims.sessionId)
  const viewer = await findViewer(trx, claims.sessionId)
  if (session === undefined || viewer === null) return 'ended'
  if (claims.generation === session.generation) {
    await rotateSession(trx, session.id, session.generation + 1, sessionExpiry(session.createdAt, deps))
    return { viewer, generation: session.generation + 1 }
  }
  const isPrevious = claims.generation === session.generation - 1
  if (isPrevious && session.secondsSinceRotation <= GRACE_SECONDS)
    return { viewer, generation: session.generation }
  await endOneSession(session.id, ownerOf(viewer), 'an old refresh token was used again', trx, deps)
  return 'reused'
}

/** Ends those of the viewer's sessions that are meant; returns how many. */
export const endSessions = (
  isMeant: (session: SessionRow) => boolean,
  viewer: Viewer,
  deps: Pick<Deps, 'db' | 'bus' | 'caller'>,
): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const sessions = (await findSessionsOfUser(trx, viewer.userId)).filter(isMeant)
    for (const { id } of sessions) await endOneSession(id, ownerOf(viewer), 'ended by its owner', trx, deps)
    return sessions.length
  })

export const presentLogin = ({ name, email }: UserRow, tokens: UserTokens): ReplyOf<typeof logIn> => ({
  userName: name,
  email,
  userTokens: tokens,
})
