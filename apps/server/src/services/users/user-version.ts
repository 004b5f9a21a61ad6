import type { UserRow } from '#db/tables.ts'
import { etagOf } from '#services/etags.ts'

export const userEtag = (user: Pick<UserRow, 'name' | 'email' | 'phone'>): string =>
  etagOf([user.name, user.email, user.phone])
