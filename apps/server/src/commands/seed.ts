import { readFile } from 'node:fs/promises'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { Role } from '@veridict/contract/model/role'
import { fieldFromWire, type WireField } from '@veridict/contract/api/wire-field'
import { seedSubmissions } from '#commands/seed-submissions.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { EnvError } from '#env.ts'
import { insertAssociation, insertCompany } from '#companies/companies.ts'
import { createDictionary } from '#dictionaries/dictionary-drafts.ts'
import { insertFields } from '#dictionaries/fields.ts'
import { storeRuleBook } from '#dictionaries/rule-books.ts'
import { countAdministrators, insertUser, newAdministrator, lockAdministratorDeletion } from '#users/users.ts'
import { type FirstAdministrator, refuseGuessablePassword } from '#users/set-administrator.ts'

/** The password of all demo users. A demo listens on its own machine only. */
const PASSWORD = 'Veridict#2026'

const people = {
  administrator: { name: 'Alex Morgan', email: 'admin@example.com', who: 'super administrator' },
  clerk: { name: 'Nora Lindqvist', email: 'clerk@example.com', who: 'clerk of Northwind Health' },
  other: { name: 'Oscar Reyes', email: 'other@example.com', who: 'clerk of Contoso Insurance' },
} as const

/** For the banner and the tests. */
export const demoLogins = Object.values(people).map(({ who, email }) => ({ who, email, password: PASSWORD }))

const samples = new URL('../../../../samples/', import.meta.url)
const dictionaryFiles = ['medical-claims.json', 'members.json', 'providers.json'] as const

type Seeded = { clerk: UserRow; other: UserRow; claimsId: number }

/**
 * Fills a new database: two companies with a clerk each, an administrator, three dictionaries, and
 * submissions in every status. `own` adds another administrator; throws if it has the address of a demo user.
 * Throws `StorageUnavailableError` and adds nothing without its storage.
 * Does nothing in a database that has an administrator.
 */
export async function seedDemo(deps: Deps, own: FirstAdministrator | null = null): Promise<void> {
  if ((await countAdministrators(deps.db)) > 0) return
  if (own !== null && demoLogins.some(({ email }) => email === own.email.toLowerCase())) {
    throw new EnvError([
      `ADMIN_EMAIL: ${own.email} is a user of the demo; choose another address, or log in with it`,
    ])
  }
  if (own !== null) refuseGuessablePassword(own)
  await deps.storage.confirm()
  const seeded = await seedMasterData(deps, own)
  if (seeded === null) return
  await seedSubmissions(seeded, (name) => readFile(new URL(name, samples)), deps)
}

/** null if another process was faster. */
async function seedMasterData(
  { db, passwords }: Deps,
  own: FirstAdministrator | null,
): Promise<Seeded | null> {
  const dictionaries = await Promise.all(dictionaryFiles.map(readDictionary))
  const ownHash = own && (await passwords.hash(own.password))
  const hashes = await Promise.all(Object.values(people).map(() => passwords.hash(PASSWORD)))
  return inTransaction(db, async (trx) => {
    await lockAdministratorDeletion(trx)
    if ((await countAdministrators(trx)) > 0) return null
    if (own !== null) await insertUser(trx, newAdministrator(own.email, ownHash))
    const northwind = await insertCompany(trx, {
      name: 'Northwind Health',
      containerName: 'northwind',
      address: '12 Harbor Street, Portland',
    })
    const contoso = await insertCompany(trx, {
      name: 'Contoso Insurance',
      containerName: 'contoso',
      address: '400 Market Street, Denver',
    })
    const person = (who: keyof typeof people, companyId: number | null, passwordHash: string | undefined) => {
      const { name, email } = people[who]
      const role = companyId === null ? Role.SuperAdmin : Role.CompanyUser
      return insertUser(trx, {
        name,
        email,
        phone: '',
        role,
        companyId,
        passwordHash: passwordHash ?? null,
      })
    }
    const administrator = await person('administrator', null, hashes[0])
    const clerk = await person('clerk', northwind, hashes[1])
    const other = await person('other', contoso, hashes[2])
    const ids: number[] = []
    for (const { name, fields, ruleBook } of dictionaries) {
      const id = await createDictionary(trx, name, administrator.id, { kind: 'created' }, async (draft) => {
        await insertFields(draft, fields)
        await storeRuleBook(draft, ruleBook)
      })
      for (const companyId of [northwind, contoso]) await insertAssociation(trx, companyId, id)
      ids.push(id)
    }
    return { clerk, other, claimsId: ids[0] as number }
  })
}

/** The dictionaries of the samples use the names of the wire. */
type SampleDictionary = { name: string; fields: WireField[] } & Partial<RuleBook>

async function readDictionary(fileName: string) {
  const text = await readFile(new URL(`dictionaries/${fileName}`, samples), 'utf8')
  const { name, fields, ...parts } = JSON.parse(text) as SampleDictionary
  return { name, fields: fields.map(fieldFromWire), ruleBook: { ...emptyRuleBook, ...parts } }
}
