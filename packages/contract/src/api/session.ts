import { z } from 'zod'
import { newPassword } from '#forms/password.ts'
import { forgotPasswordForm, loginForm } from '#forms/login.ts'
import { sessionMessages } from '#messages/session.ts'
import { defineEndpoint } from './endpoint.ts'
import { messageReply } from './envelope.ts'

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
