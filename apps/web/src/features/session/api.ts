import { useMutation } from '@tanstack/react-query'
import { forgotPassword, logIn, logOut, setPassword } from '@veridict/contract/api/session'
import type { LoginForm } from '@veridict/contract/forms/login'
import { confirmLeaving } from '#lib/forms/use-leave-guard.ts'
import { call } from '#lib/http/client.ts'
import { endSession } from '#lib/session/end-session.ts'
import { tokenStore } from '#lib/session/token-store.ts'

/** Logs in and stores the session; the guards then open the portal. */
export const useLogIn = () =>
  useMutation({
    mutationFn: (body: LoginForm) => call(logIn, { body }),
    onSuccess: ({ userName, email, userTokens }) =>
      tokenStore.save({
        userName,
        email,
        token: userTokens.accessToken,
        refreshToken: userTokens.refreshToken,
      }),
  })

export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => call(forgotPassword, { body: { email } }) })

/** Sets a password with the token of an e-mailed link, which travels URL-encoded (spec §3). */
export const useSetPassword = () =>
  useMutation({
    mutationFn: ({ token, ...body }: { email: string; token: string; newPassword: string }) =>
      call(setPassword, { body: { ...body, token: encodeURIComponent(token) } }),
  })

/**
 * Ends the session on the server and here. Here it ends in any case: a person who leaves a shared machine
 * must be able to.
 */
export async function logOutEverywhere(): Promise<void> {
  try {
    await call(logOut)
  } catch (error) {
    console.error('The server could not be told of the log-out.', error)
  } finally {
    endSession()
  }
}

/** Logs out, after asking where an upload or changes that are not saved would be lost. Spec §9. */
export async function confirmAndLogOut(): Promise<void> {
  if (await confirmLeaving()) await logOutEverywhere()
}
