import { z } from 'zod'
import { newPassword } from '#forms/password.ts'
import { forgotPasswordForm, loginForm } from '#forms/login.ts'
import { sessionMessages } from '#messages/session.ts'
import { defineEndpoint } from './endpoint.ts'
import { messageReply, timestamp } from './envelope.ts'

export const userTokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
export type UserTokens = z.infer<typeof userTokens>

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/Login',
  access: 'public',
  summary: 'Log in with e-mail and password',
  body: loginForm,
  reply: z.object({ userName: z.string(), email: z.string(), userTokens }),
})

export const exchangeSignOn = defineEndpoint({
  method: 'POST',
  path: '/api/Login/oidc/session',
  canBeOff: true,
  access: 'public',
  summary:
    'After a single sign-on, exchange the cookie that it set for a session; once, and within a minute. It ' +
    'begins at GET /api/Login/oidc, which redirects to the provider, and from there through ' +
    '/api/Login/oidc/callback to the login page',
  reply: logIn.reply,
})

export const refreshSession = defineEndpoint({
  method: 'POST',
  path: '/api/Login/refresh',
  access: 'public',
  summary: 'Exchange a refresh token for new tokens',
  body: z.object({ refreshToken: z.string().min(1).max(4096) }),
  reply: z.object({ userTokens }),
})

export const forgotPassword = defineEndpoint({
  method: 'POST',
  path: '/api/Login/forgotpassword',
  access: 'public',
  summary: 'Ask for an e-mail to set a new password',
  body: forgotPasswordForm,
  reply: messageReply,
})

export const logOut = defineEndpoint({
  method: 'GET',
  path: '/api/Logout',
  access: 'loggedIn',
  endsSessions: true,
  summary: 'End this session',
  reply: messageReply,
})

export const setPassword = defineEndpoint({
  method: 'POST',
  path: '/api/User/setpassword',
  access: 'public',
  summary: 'Set a password with the token of an e-mailed link',
  body: z.object({
    email: z.string(sessionMessages.invalidResetLink).min(1, sessionMessages.invalidResetLink).max(254),
    token: z.string(sessionMessages.invalidResetLink).min(1, sessionMessages.invalidResetLink).max(4096),
    newPassword,
  }),
  reply: messageReply,
})

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

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/Session',
  access: 'loggedIn',
  summary: "The caller's sessions, the one used last first",
  reply: z.array(sessionItem),
})

export const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/api/Session/:id',
  access: 'loggedIn',
  endsSessions: true,
  summary: "End one of the caller's sessions at once",
  params: z.object({ id: z.uuid() }),
  reply: messageReply,
})

export const endOtherSessions = defineEndpoint({
  method: 'DELETE',
  path: '/api/Session',
  access: 'loggedIn',
  endsSessions: true,
  summary: "End all of the caller's sessions but this one",
  reply: messageReply,
})
