import type { UserRow } from '#db/tables.ts'
import { contentVersion } from '#services/content-version.ts'

export const userVersion = (user: Pick<UserRow, 'name' | 'email' | 'phone'>): string =>
  contentVersion([user.name, user.email, user.phone])
