import { Role } from '@veridict/contract/model/role'
import { type Env, EnvError } from '#env.ts'
import type { Db } from '#platform/database/tables.ts'
import { findUserByEmail } from '#users/users.ts'

type LoginSettings = Pick<Env, 'passwordLogin' | 'adminEmail'>

/** With PASSWORD_LOGIN=off only the account of ADMIN_EMAIL may, in case the provider is down. */
export const mayUsePassword = (email: string, { passwordLogin, adminEmail }: LoginSettings): boolean =>
  passwordLogin || isSameAddress(email, adminEmail)

/** It can log in while single sign-on is down, and must not lose this ability. */
export const isEmergencyAccount = (email: string, { passwordLogin, adminEmail }: LoginSettings): boolean =>
  !passwordLogin && isSameAddress(email, adminEmail)

/** Ignores the case of ASCII letters only: "K" (Kelvin) in lower case is "k", but another owner's address. */
export const isSameAddress = (one: string, other: string | null): boolean =>
  other !== null && asciiLowerCase(one) === asciiLowerCase(other)

const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Throws EnvError if nobody could log in while single sign-on is down. */
export async function refuseLockout({ db, env }: { db: Db; env: LoginSettings }): Promise<void> {
  if (env.passwordLogin || env.adminEmail === null) return
  const user = await findUserByEmail(db, env.adminEmail)
  if (user?.role === Role.SuperAdmin && user.passwordHash !== null) return
  throw new EnvError([
    'PASSWORD_LOGIN: off needs an administrator with the e-mail of ADMIN_EMAIL and a password, who can log ' +
      'in when single sign-on is down; node apps/server/src/commands/create-admin.ts creates one',
  ])
}
