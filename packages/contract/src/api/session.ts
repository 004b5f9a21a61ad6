import { z } from 'zod'
import { newPassword } from '#forms/password.ts'
import { forgotPasswordForm, loginForm } from '#forms/login.ts'
import { sessionMessages } from '#messages/session.ts'
import { endpoint, messageReply, timestamp } from './endpoint.ts'

export const userTokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
export type UserTokens = z.infer<typeof userTokens>

export const logIn = endpoint('POST /api/Login', 'public', 'Log in with e-mail and password', {
  body: loginForm,
  reply: z.object({ userName: z.string(), email: z.string(), userTokens }),
})

export const exchangeSignOn = endpoint(
  'POST /api/Login/oidc/session',
  'public',
  'After a single sign-on, exchange the cookie that it set for a session; once, and within a minute. It ' +
    'begins at GET /api/Login/oidc, which redirects to the provider, and from there through ' +
    '/api/Login/oidc/callback to the login page',
  { canBeOff: true, reply: logIn.reply },
)

export const refreshSession = endpoint(
  'POST /api/Login/refresh',
  'public',
  'Exchange a refresh token for new tokens',
  { body: z.object({ refreshToken: z.string().min(1).max(4096) }), reply: z.object({ userTokens }) },
)

export const forgotPassword = endpoint(
  'POST /api/Login/forgotpassword',
  'public',
  'Ask for an e-mail to set a new password',
  { body: forgotPasswordForm, reply: messageReply, says: sessionMessages.resetMailSent },
)

export const logOut = endpoint('GET /api/Logout', 'loggedIn', 'End this session', {
  endsSessions: true,
  reply: messageReply,
  says: sessionMessages.loggedOut,
})

export const setPassword = endpoint(
  'POST /api/User/setpassword',
  'public',
  'Set a password with the token of an e-mailed link',
  {
    body: z.object({
      email: z.string(sessionMessages.invalidResetLink).min(1, sessionMessages.invalidResetLink).max(254),
      token: z.string(sessionMessages.invalidResetLink).min(1, sessionMessages.invalidResetLink).max(4096),
      newPassword,
    }),
    reply: messageReply,
    says: sessionMessages.passwordSet,
  },
)

export const sessionItem = z.object({
  id: z.uuid(),
  /** Such as "Firefox on Windows"; '' if it is not known. */
  device: z.string(),
  address: z.string(),
  createdAt: timestamp,
  /** When its tokens were last issued; they are valid for some minutes. */
  lastUsedAt: timestamp,
  isCurrent: z.boolean(),
})
export type SessionItem = z.infer<typeof sessionItem>

export const listSessions = endpoint(
  'GET /api/Session',
  'loggedIn',
  "The caller's sessions, the one used last first",
  { reply: z.array(sessionItem) },
)

export const endSession = endpoint(
  'DELETE /api/Session/:id',
  'loggedIn',
  "End one of the caller's sessions at once",
  {
    endsSessions: true,
    params: z.object({ id: z.uuid() }),
    reply: messageReply,
    says: sessionMessages.sessionEndedByOwner,
  },
)

export const endOtherSessions = endpoint(
  'DELETE /api/Session',
  'loggedIn',
  "End all of the caller's sessions but this one",
  { endsSessions: true, reply: messageReply, says: sessionMessages.otherSessionsEnded },
)
