import { Role } from '@veridict/contract/model/role'
import type { Deps } from '#deps.ts'
import { EnvError } from '#env.ts'
import { findUserByEmail } from '#users/users.ts'

/** Throws EnvError if nobody could log in while single sign-on is down. */
export async function refuseLockout({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  if (env.passwordLogin || env.adminEmail === null) return
  const user = await findUserByEmail(db, env.adminEmail)
  if (user?.role === Role.SuperAdmin && user.passwordHash !== null) return
  throw new EnvError([
    'PASSWORD_LOGIN: off needs an administrator with the e-mail of ADMIN_EMAIL and a password, who can log ' +
      'in when single sign-on is down; node apps/server/src/commands/create-admin.ts creates one',
  ])
}
