import type { UserTokens } from '@veridict/contract/api/session'
import type { UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { addSession } from '#repositories/sessions.ts'

const DAY = 24 * 60 * 60 * 1000

/** Starts a session of the user and returns its first tokens. */
export async function openSession(
  user: UserRow,
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'env' | 'tokens'>,
): Promise<UserTokens> {
  const sessionId = deps.ids.uuid()
  await addSession(deps.db, { id: sessionId, userId: user.id, expiresAt: sessionExpiry(deps) })
  return issueTokens({ userId: user.id, role: user.role, email: user.email, sessionId }, 1, deps)
}

/** When a refresh token issued now expires. */
export const sessionExpiry = ({ clock, env }: Pick<Deps, 'clock' | 'env'>): Date =>
  new Date(clock.now().getTime() + env.refreshTokenDays * DAY)

/** The refresh token depends on session and generation alone, so the same one can be issued again. */
export function issueTokens(
  subject: Parameters<Deps['tokens']['issueAccess']>[0],
  generation: number,
  { tokens }: Pick<Deps, 'tokens'>,
): UserTokens {
  return {
    accessToken: tokens.issueAccess(subject),
    refreshToken: tokens.refreshToken({ sessionId: subject.sessionId, generation }),
  }
}
