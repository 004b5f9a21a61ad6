import type { Paging } from '@veridict/contract/api/endpoint'
import type { UserForm } from '@veridict/contract/forms/user'
import { Role } from '@veridict/contract/model/role'
import { sql } from 'kysely'
import type { Db, Trx, UserRow } from '#platform/database/tables.ts'
import { stopWrites } from '#platform/access/authority.ts'
import {
  containing,
  countRows,
  hasRow,
  type ListPage,
  pageByName,
  withCount,
} from '#platform/database/lists.ts'

/** Name of the index that keeps e-mails unique (0001-initial). */
export const USERS_EMAIL_KEY = 'users_email_key'

/** Users who are not deleted and whose company is not deleted. */
const existingUsers = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.companyId')
    .where('users.deletedAt', 'is', null)
    .where('companies.deletedAt', 'is', null)
    .selectAll('users')

export const findUser = (db: Db, id: number): Promise<UserRow | undefined> =>
  existingUsers(db).where('users.id', '=', id).executeTakeFirst()

/** The user, its row locked until the transaction ends. */
export async function lockUser(trx: Trx, id: number): Promise<UserRow | undefined> {
  await stopWrites(trx, { userId: id })
  return existingUsers(trx).where('users.id', '=', id).forUpdate('users').executeTakeFirst()
}

/** Ignores case. Earlier versions stored decomposed characters and angle brackets, too. */
export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  existingUsers(db)
    .where(
      sql`lower(users.email)`,
      'in',
      [email, email.normalize('NFD'), `<${email}>`].map((spelling) => sql`lower(${spelling})`),
    )
    .orderBy(sql`lower(users.email) = lower(${email})`, 'desc')
    .executeTakeFirst()

const administrators = (db: Db) =>
  db.selectFrom('users').where('role', '=', Role.SuperAdmin).where('deletedAt', 'is', null)

export function findAdministrators(db: Db, paging: Paging): Promise<ListPage<UserRow>> {
  const matching = administrators(db).$call(containing(paging.SearchText, ['name', 'email']))
  return withCount(pageByName(matching.selectAll(), paging).execute(), matching)
}

export const findAllAdministrators = (db: Db): Promise<UserRow[]> =>
  administrators(db).selectAll().orderBy('id').execute()

export const findClerksOf = (db: Db, companyIds: readonly number[]): Promise<UserRow[]> =>
  existingUsers(db)
    .where('users.companyId', '=', sql<number>`any(${[...companyIds]}::integer[])`)
    .orderBy('users.id')
    .execute()

export const countAdministrators = (db: Db): Promise<number> => countRows(administrators(db))

/** Serializes deletions of administrators, so that two who delete each other cannot both succeed. */
export async function lockAdministratorDeletion(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('veridict: delete administrator'))`.execute(trx)
}

/** Whether the company exists; it cannot be deleted until the transaction ends. */
export function lockCompanyForShare(trx: Trx, id: number): Promise<boolean> {
  const company = trx
    .selectFrom('companies')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forShare()
  return hasRow(company)
}

export type NewUser = Pick<UserRow, 'name' | 'email' | 'phone' | 'companyId' | 'role' | 'passwordHash'>

/** Use `addUser` (`add-user.ts`). */
export const insertUser = (db: Db, user: NewUser): Promise<UserRow> =>
  db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

export const ADMINISTRATOR_NAME = 'Administrator'

export const newAdministrator = (email: string, passwordHash: string | null): NewUser => ({
  name: ADMINISTRATOR_NAME,
  email,
  phone: '',
  role: Role.SuperAdmin,
  companyId: null,
  passwordHash,
})

export function changeUser(db: Db, id: number, { name, email, phone }: UserForm): Promise<UserRow> {
  return db
    .updateTable('users')
    .set({ name, email, phone, updatedAt: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setPasswordHash(db: Db, id: number, passwordHash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ passwordHash, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Whether the e-mail about guessing may be sent now: once in 24 hours. */
export function claimGuessingMail(db: Db, id: number): Promise<boolean> {
  const isDue = sql<boolean>`coalesce(guessing_mail_at < now() - interval '24 hours', true)`
  const claim = db
    .updateTable('users')
    .set({ guessingMailAt: sql`now()` })
    .where('id', '=', id)
    .where(isDue)
  return hasRow(claim.returning('id'))
}

/** Deletes softly: the row stays for the history, the address can be used again, the password is deleted. */
export const markUserDeleted = (db: Db, id: number): Promise<UserRow> =>
  db
    .updateTable('users')
    .set({ deletedAt: sql`now()`, passwordHash: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
