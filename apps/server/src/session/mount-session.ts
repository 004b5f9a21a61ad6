import * as endpoints from '@veridict/contract/api/session'
import { notFound } from '#errors.ts'
import type { Viewer } from '#platform/access/viewer.ts'
import type { SessionRow } from '#platform/database/tables.ts'
import { callerAddress } from '#platform/http/caller-address.ts'
import { mountCalls } from '#platform/http/mount.ts'
import { forgotPassword, logIn, logOut, setPassword } from '#session/log-in.ts'
import { loginPlaceOf, rememberBrowser } from '#session/login-place.ts'
import { endSessions, presentLogin, refreshSession } from '#session/open-session.ts'
import { findSessionsOfUser } from '#users/sessions.ts'

const { exchangeSignOn: _ofSingleSignOn, ...calls } = endpoints

export const mountSession = mountCalls(calls, {
  async logIn({ body, request, reply, deps }) {
    const { user, tokens } = await logIn(body, loginPlaceOf(request), deps)
    rememberBrowser(request, reply, user)
    return presentLogin(user, tokens)
  },

  refreshSession: async ({ body, deps }) => ({ userTokens: await refreshSession(body.refreshToken, deps) }),

  forgotPassword: ({ body, request, deps }) => forgotPassword(body.email, loginPlaceOf(request), deps),

  logOut: ({ viewer, deps }) => logOut(viewer, deps),

  async setPassword({ body, request, reply, deps }) {
    rememberBrowser(request, reply, await setPassword(body, callerAddress(request), deps))
  },

  listSessions: async ({ viewer, deps: { db } }) =>
    (await findSessionsOfUser(db, viewer.userId)).map((session) => presentSession(session, viewer)),

  /** One of the viewer's sessions, also the present one. */
  async endSession({ params, viewer, deps }) {
    const ended = await endSessions(({ id }) => id === params.id, viewer, deps)
    if (ended === 0) throw notFound('Session')
  },

  endOtherSessions: ({ viewer, deps }) => endSessions(({ id }) => id !== viewer.sessionId, viewer, deps),
})

const presentSession = (
  { id, device, address, createdAt, rotatedAt }: SessionRow,
  viewer: Viewer,
): endpoints.SessionItem => ({
  id,
  device,
  address,
  createdAt: createdAt.toISOString(),
  lastUsedAt: rotatedAt.toISOString(),
  isCurrent: id === viewer.sessionId,
})
