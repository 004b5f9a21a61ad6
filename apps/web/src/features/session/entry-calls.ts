import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { exchangeSignOn, forgotPassword, logIn, setPassword } from '@veridict/contract/api/session'
import {
  type ForgotPasswordForm,
  forgotPasswordForm,
  type LoginForm,
  loginForm,
} from '@veridict/contract/forms/login'
import { setPasswordForm } from '@veridict/contract/forms/password'
import { announceFailure } from '#lib/http/announce.ts'
import { call } from '#lib/http/client.ts'
import { textOfFailure } from '#lib/http/error-notice.ts'
import { tokenStore } from '#lib/session/token-store.ts'

/** Logs in and stores the session. The guards in `app/router.tsx` then lead to the home screen. */
const sendLogin = async (values: LoginForm): Promise<void> =>
  saveSession(await call(logIn, { body: loginForm.parse(values) }))

/** Stores the session after a single sign-on. A cookie identifies the person to the server. */
const sendSignOn = async (): Promise<void> => saveSession(await call(exchangeSignOn))

const saveSession = ({ userName, email, userTokens }: ReplyOf<typeof logIn>): void => {
  const { accessToken: token, refreshToken } = userTokens
  tokenStore.save({ userName, email, token, refreshToken })
}

const sendForgotPassword = (values: ForgotPasswordForm) =>
  call(forgotPassword, { body: forgotPasswordForm.parse(values) })

/** Sets a password with the token of an e-mailed link. The call expects the token URL-encoded. */
async function sendPassword({ token, ...body }: Record<'email' | 'token' | 'newPassword', string>) {
  await call(setPassword, { body: { ...body, token: encodeURIComponent(token) } })
}

/** What the screens of visitors need from a submit on (`use-entry-form.ts`). */
export const entryCalls = {
  loginForm,
  sendLogin,
  sendSignOn,
  forgotPasswordForm,
  sendForgotPassword,
  setPasswordForm,
  sendPassword,
  announceFailure,
  textOfFailure,
}
