import { randomBytes } from 'node:crypto'
import { Role } from '@veridict/contract/model/role'
import { RuleType, type RuleConfig } from '@veridict/contract/model/rule'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { labelKey } from '@veridict/contract/notation/label'
import type { Insertable, Kysely } from 'kysely'
import { createPasswords } from '#drivers/passwords.ts'
import type { CompanyRow, Database, DictionaryRow, FrozenField, SubmissionRow, UserRow } from '#db/tables.ts'

/** Rows for tests. Whatever a test does not care about gets a fresh, valid value, and missing parents are built. */

const unique = () => randomBytes(5).toString('hex')

/** Password of every built user; hashed once per test file, because hashing is slow on purpose. */
export const testPassword = 'Correct-Horse-1'
let passwordHash: Promise<string> | undefined

export function buildCompany(db: Kysely<Database>, given: Partial<Insertable<Database['companies']>> = {}): Promise<CompanyRow> {
  const tag = unique()
  const row = { name: `Company ${tag}`, storageFolder: `company-${tag}`, address: 'Main Street 1', ...given }
  return db.insertInto('companies').values(row).returningAll().executeTakeFirstOrThrow()
}

/** A clerk of a new company unless told otherwise; give `role: Role.SuperAdmin` for an administrator. */
export async function buildUser(db: Kysely<Database>, given: Partial<Insertable<Database['users']>> = {}): Promise<UserRow> {
  const role = given.role ?? Role.CompanyUser
  const companyId = role === Role.SuperAdmin ? null : (given.companyId ?? (await buildCompany(db)).id)
  passwordHash ??= createPasswords().hash(testPassword)
  const tag = unique()
  const row = { name: `User ${tag}`, email: `user-${tag}@example.test`, phone: '+4930123', passwordHash: await passwordHash, ...given }
  return db
    .insertInto('users')
    .values({ ...row, role, companyId })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const buildAdministrator = (db: Kysely<Database>, given: Partial<Insertable<Database['users']>> = {}) =>
  buildUser(db, { ...given, role: Role.SuperAdmin })

export type BuiltField = Partial<FrozenField> & { itemName: string }

/** A dictionary with its fields in order: a required text `Name` and an optional number `Amount` unless told otherwise. */
export async function buildDictionary(
  db: Kysely<Database>,
  given: { name?: string; fields?: readonly BuiltField[]; companyId?: number } = {},
): Promise<DictionaryRow & { fieldIds: number[] }> {
  const dictionary = await db
    .insertInto('dictionaries')
    .values({ name: given.name ?? `Dictionary ${unique()}` })
    .returningAll()
    .executeTakeFirstOrThrow()
  const fieldIds: number[] = []
  for (const [index, field] of (given.fields ?? standardFields).entries()) {
    fieldIds.push(await insertField(db, dictionary.id, index + 1, field))
  }
  if (given.companyId !== undefined) {
    await db.insertInto('companyDictionaries').values({ companyId: given.companyId, dictionaryId: dictionary.id }).execute()
  }
  return { ...dictionary, fieldIds }
}

const standardFields: readonly BuiltField[] = [
  { itemName: 'Name', ruleType: RuleType.Text, isRequired: true },
  { itemName: 'Amount', ruleType: RuleType.Number, isRequired: false, ruleConfig: { scale: 2 } },
]

const frozen = (field: BuiltField): FrozenField => ({
  description: '',
  category: '',
  ruleType: RuleType.Text,
  isRequired: true,
  ruleConfig: {} satisfies RuleConfig,
  ...field,
})

async function insertField(db: Kysely<Database>, dictionaryId: number, position: number, field: BuiltField): Promise<number> {
  const { itemName, description, category, ruleType, isRequired, ruleConfig } = frozen(field)
  const row = { dictionaryId, position, name: itemName, nameKey: labelKey(itemName), description, category, required: isRequired, ruleType }
  const { id } = await db
    .insertInto('fields')
    .values({ ...row, ruleConfig: JSON.stringify(ruleConfig) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A submission of a new user, against a frozen version of a new dictionary, status Uploaded, without bytes in storage. */
export async function buildSubmission(
  db: Kysely<Database>,
  given: Partial<Insertable<Database['submissions']>> = {},
): Promise<SubmissionRow> {
  const user =
    given.userId === undefined
      ? await buildUser(db, given.companyId === undefined ? {} : { companyId: given.companyId })
      : await db.selectFrom('users').selectAll().where('id', '=', given.userId).executeTakeFirstOrThrow()
  const version = given.dictionaryVersionId ?? (await buildDictionaryVersion(db))
  const tag = unique()
  const row = { fileName: `claims-${tag}.csv`, fileKind: 'csv' as const, bytes: 20, sha256: '0'.repeat(64), storageKey: `.sources/${tag}` }
  return db
    .insertInto('submissions')
    .values({
      ...row,
      companyId: user.companyId ?? (await buildCompany(db)).id,
      userId: user.id,
      dictionaryVersionId: version,
      dictionaryName: 'Claims',
      status: SubmissionStatus.Uploaded,
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Answers the id of a version that holds `fields`. */
export async function buildDictionaryVersion(db: Kysely<Database>, fields: readonly BuiltField[] = standardFields): Promise<number> {
  const dictionary = await buildDictionary(db, { fields })
  const { id } = await db
    .insertInto('dictionaryVersions')
    .values({ dictionaryId: dictionary.id, revision: 1, name: dictionary.name, fields: JSON.stringify(fields.map(frozen)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
