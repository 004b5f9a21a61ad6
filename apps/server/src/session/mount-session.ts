import * as endpoints from '@veridict/contract/api/session'
import { sessionMessages } from '@veridict/contract/messages/session'
import type { FastifyInstance } from 'fastify'
import { callerAddress } from '#platform/http/caller-address.ts'
import { loginPlaceOf, rememberBrowser } from '#session/login-place.ts'
import { mount } from '#platform/http/mount.ts'
import {
  endOtherSessions,
  endOwnSession,
  listSessions,
  presentLogin,
  presentSession,
} from '#session/own-sessions.ts'
import { forgotPassword, setPassword } from '#session/set-password.ts'
import { logIn, logOut } from '#session/log-in.ts'
import { refreshSession } from '#session/open-session.ts'

export function mountSession(app: FastifyInstance): void {
  mount(app, endpoints.logIn, async ({ body, request, reply, deps }) => {
    const { user, tokens } = await logIn(body, loginPlaceOf(request), deps)
    rememberBrowser(request, reply, user)
    return presentLogin(user, tokens)
  })

  mount(app, endpoints.refreshSession, async ({ body, deps }) => ({
    userTokens: await refreshSession(body.refreshToken, deps),
  }))

  mount(app, endpoints.forgotPassword, async ({ body, request, deps }) => {
    await forgotPassword(body.email, loginPlaceOf(request), deps)
    return { message: sessionMessages.resetMailSent }
  })

  mount(app, endpoints.logOut, async ({ viewer, deps }) => {
    await logOut(viewer, deps)
    return { message: sessionMessages.loggedOut }
  })

  mount(app, endpoints.setPassword, async ({ body, request, reply, deps }) => {
    rememberBrowser(request, reply, await setPassword(body, callerAddress(request), deps))
    return { message: sessionMessages.passwordSet }
  })

  mount(app, endpoints.listSessions, async ({ viewer, deps }) =>
    (await listSessions(viewer, deps)).map((session) => presentSession(session, viewer)),
  )

  mount(app, endpoints.endSession, async ({ params, viewer, deps }) => {
    await endOwnSession(params.id, viewer, deps)
    return { message: sessionMessages.sessionEndedByOwner }
  })

  mount(app, endpoints.endOtherSessions, async ({ viewer, deps }) => {
    await endOtherSessions(viewer, deps)
    return { message: sessionMessages.otherSessionsEnded }
  })
}
