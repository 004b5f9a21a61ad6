import * as endpoints from '@veridict/contract/api/session'
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
  refreshSession,
} from '#session/open-session.ts'
import { forgotPassword, setPassword, logIn, logOut } from '#session/log-in.ts'

export function mountSession(app: FastifyInstance): void {
  mount(app, endpoints.logIn, async ({ body, request, reply, deps }) => {
    const { user, tokens } = await logIn(body, loginPlaceOf(request), deps)
    rememberBrowser(request, reply, user)
    return presentLogin(user, tokens)
  })

  mount(app, endpoints.refreshSession, async ({ body, deps }) => ({
    userTokens: await refreshSession(body.refreshToken, deps),
  }))

  mount(app, endpoints.forgotPassword, ({ body, request, deps }) =>
    forgotPassword(body.email, loginPlaceOf(request), deps),
  )

  mount(app, endpoints.logOut, ({ viewer, deps }) => logOut(viewer, deps))

  mount(app, endpoints.setPassword, async ({ body, request, reply, deps }) => {
    rememberBrowser(request, reply, await setPassword(body, callerAddress(request), deps))
  })

  mount(app, endpoints.listSessions, async ({ viewer, deps }) =>
    (await listSessions(viewer, deps)).map((session) => presentSession(session, viewer)),
  )

  mount(app, endpoints.endSession, ({ params, viewer, deps }) => endOwnSession(params.id, viewer, deps))

  mount(app, endpoints.endOtherSessions, ({ viewer, deps }) => endOtherSessions(viewer, deps))
}
