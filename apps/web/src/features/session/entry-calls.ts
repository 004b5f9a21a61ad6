import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { exchangeSignOn, forgotPassword, logIn, setPassword } from '@veridict/contract/api/session'
import {
  type ForgotPasswordForm,
  forgotPasswordForm,
  type LoginForm,
  loginForm,
} from '@veridict/contract/forms/login'
import { setPasswordForm } from '@veridict/contract/forms/password'
import { announceFailure, textOfFailure } from '#lib/http/announce.tsx'
import { call } from '#lib/http/client.ts'
import { tokenStore } from '#lib/session/token-store.ts'

const saveSession = ({ userName, email, userTokens }: ReplyOf<typeof logIn>): void => {
  const { accessToken: token, refreshToken } = userTokens
  tokenStore.save({ userName, email, token, refreshToken })
}

/** What the screens of visitors need from a submit on (`use-entry-form.ts`). */
export const entryCalls = {
  loginForm,
  /** Logs in and stores the session. The guards in `app/router.tsx` then lead to the home screen. */
  sendLogin: async (values: LoginForm) => saveSession(await call(logIn, { body: loginForm.parse(values) })),
  /** Stores the session after a single sign-on. A cookie identifies the person to the server. */
  sendSignOn: async () => saveSession(await call(exchangeSignOn)),
  forgotPasswordForm,
  sendForgotPassword: (values: ForgotPasswordForm) =>
    call(forgotPassword, { body: forgotPasswordForm.parse(values) }),
  setPasswordForm,
  /** Sets a password with the token of an e-mailed link. The call expects the token URL-encoded. */
  sendPassword: ({ token, ...body }: Record<'email' | 'token' | 'newPassword', string>) =>
    call(setPassword, { body: { ...body, token: encodeURIComponent(token) } }),
  announceFailure,
  textOfFailure,
}
