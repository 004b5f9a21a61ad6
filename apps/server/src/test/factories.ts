import { randomBytes, randomUUID } from 'node:crypto'
import { Role } from '@veridict/contract/model/role'
import { fieldFromWire, ruleNumbers, type WireField } from '@veridict/contract/api/wire-field'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { hashSync } from '@node-rs/argon2'
import type { Insertable } from 'kysely'
import type { Deps } from '#deps.ts'
import type {
  CompanyRow,
  CompanyTokenRow,
  Database,
  Db,
  DictionaryRow,
  SubmissionRow,
  UserRow,
} from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { createDictionary } from '#dictionaries/dictionary-drafts.ts'
import { readDictionary } from '#dictionaries/dictionaries.ts'
import { findFieldOrder, insertFields } from '#dictionaries/fields.ts'
import { addSession } from '#users/sessions.ts'

/** Rows for tests. Values that a test does not give are valid and unique, and missing parents are built. */

const unique = () => randomBytes(5).toString('hex')

/** Password of every built user; its hash, and so each check of a guess, costs next to nothing. */
export const testPassword = 'Correct-Horse-1'
const passwordHash = hashSync(testPassword, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 })

export function buildCompany(
  db: Db,
  given: Partial<Insertable<Database['companies']>> = {},
): Promise<CompanyRow> {
  const tag = unique()
  const row = { name: `Company ${tag}`, storageFolder: `company-${tag}`, address: 'Main Street 1', ...given }
  return db.insertInto('companies').values(row).returningAll().executeTakeFirstOrThrow()
}

/** A clerk of a new company by default; `role: Role.SuperAdmin` builds an administrator. */
export async function buildUser(
  db: Db,
  given: Partial<Insertable<Database['users']>> = {},
): Promise<UserRow> {
  const role = given.role ?? Role.CompanyUser
  const companyId = role === Role.SuperAdmin ? null : (given.companyId ?? (await buildCompany(db)).id)
  const tag = unique()
  const row = {
    name: `User ${tag}`,
    email: `user-${tag}@example.test`,
    phone: '+4930123',
    passwordHash,
    ...given,
  }
  return db
    .insertInto('users')
    .values({ ...row, role, companyId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const buildAdministrator = (db: Db, given: Partial<Insertable<Database['users']>> = {}) =>
  buildUser(db, { ...given, role: Role.SuperAdmin })

/** A token of a company, valid for a day unless `given` says otherwise; `token` is what a program sends. */
export async function buildCompanyToken(
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
  companyId: number,
  given: Partial<Insertable<Database['companyTokens']>> = {},
): Promise<CompanyTokenRow & { token: string }> {
  const token = `vdt_${unique()}`
  const row = {
    companyId,
    name: `Token ${unique()}`,
    tokenHash: tokens.hashSecret(token),
    expiresAt: new Date(Date.now() + 86_400_000),
    ...given,
  }
  const insert = db.insertInto('companyTokens').values(row).returningAll()
  return { ...(await insert.executeTakeFirstOrThrow()), token }
}

/** An access token of a new session of the user, which lasts a day: longer than any run of the tests. */
export async function buildAccessToken(
  { db, tokens }: Pick<Deps, 'db' | 'tokens'>,
  { id: userId, role, email }: UserRow,
): Promise<string> {
  const sessionId = randomUUID()
  await addSession(db, { id: sessionId, userId, expiresAt: new Date(Date.now() + 86_400_000) })
  return tokens.issueAccess({ userId, role, email, sessionId })
}

export type BuiltField = Partial<WireField> & { itemName: string }

/** A dictionary; by default with a required text `Name` and an optional number `Amount`. */
export async function buildDictionary(
  db: Db,
  given: { name?: string; fields?: readonly BuiltField[]; companyId?: number } = {},
): Promise<DictionaryRow & { fieldIds: number[] }> {
  const name = given.name ?? `Dictionary ${unique()}`
  const fields = (given.fields ?? defaultFields).map(wireField).map(fieldFromWire)
  const dictionary = await inTransaction(db, async (trx) => {
    const id = await createDictionary(trx, name, null, { kind: 'created' }, (draft) =>
      insertFields(draft, fields),
    )
    return trx.selectFrom('dictionaries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
  if (given.companyId !== undefined) {
    await db
      .insertInto('companyDictionaries')
      .values({ companyId: given.companyId, dictionaryId: dictionary.id })
      .execute()
  }
  const order = await findFieldOrder(db, dictionary.id)
  return { ...dictionary, fieldIds: order.map(({ id }) => id) }
}

const defaultFields: readonly BuiltField[] = [
  { itemName: 'Name', ruleType: ruleNumbers.text, isRequired: true },
  { itemName: 'Amount', ruleType: ruleNumbers.number, isRequired: false, ruleConfig: { scale: 2 } },
]

/** A field as calls contain it; by default a required text. */
export const wireField = (field: BuiltField): WireField => ({
  description: '',
  category: '',
  ruleType: ruleNumbers.text,
  isRequired: true,
  identifiesRow: false,
  ruleConfig: {},
  ...field,
})

/**
 * A submission of a new user, or of a token, against a new dictionary, in status Uploaded, without a file in
 * storage.
 */
export async function buildSubmission(
  db: Db,
  given: Partial<Insertable<Database['submissions']>> = {},
): Promise<SubmissionRow> {
  const user = typeof given.tokenId === 'number' ? null : await uploaderOf(db, given)
  const version = given.dictionaryVersionId ?? (await buildDictionaryVersion(db))
  const tag = unique()
  const row = {
    fileName: `claims-${tag}.csv`,
    fileKind: 'csv' as const,
    bytes: 20,
    sha256: '0'.repeat(64),
    storageKey: `.sources/${tag}`,
  }
  return db
    .insertInto('submissions')
    .values({
      ...row,
      companyId: user?.companyId ?? (await buildCompany(db)).id,
      userId: user?.id ?? null,
      dictionaryVersionId: version,
      dictionaryName: 'Claims',
      status: SubmissionStatus.Uploaded,
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const uploaderOf = (db: Db, { userId, companyId }: Partial<Insertable<Database['submissions']>>) =>
  typeof userId === 'number'
    ? db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    : buildUser(db, companyId === undefined ? {} : { companyId })

export const findPresentVersionId = async (db: Db, { id }: { id: number }): Promise<number> =>
  (await readDictionary(db, id)).versionId

/** Returns the id of a version with `fields`. */
export const buildDictionaryVersion = async (
  db: Db,
  fields: readonly BuiltField[] = defaultFields,
): Promise<number> => findPresentVersionId(db, await buildDictionary(db, { fields }))
