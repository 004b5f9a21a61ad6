import { signOnMessages } from '@veridict/contract/messages/single-sign-on'
import type { Deps } from '#deps.ts'
import { forbidden } from '#errors.ts'
import { mayUsePassword } from '#users/password-login.ts'

/** Throws 403 where only single sign-on is used; the same for an e-mail that nobody has. */
export function refusePassword(email: string, { env }: Pick<Deps, 'env'>): void {
  if (!mayUsePassword(email, env)) throw forbidden(signOnMessages.noPasswords)
}
