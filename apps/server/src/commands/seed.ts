import { readFile } from 'node:fs/promises'
import { fieldFromWire, type WireField } from '@veridict/contract/api/wire-field'
import { Role } from '@veridict/contract/model/role'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { UserRow, SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import { EnvError } from '#env.ts'
import { insertAssociation, insertCompany } from '#companies/companies.ts'
import { createDictionary } from '#dictionaries/dictionary-drafts.ts'
import { insertFields } from '#dictionaries/fields.ts'
import { storeRuleBook } from '#dictionaries/rule-books.ts'
import { countAdministrators, insertUser, newAdministrator, lockAdministratorDeletion } from '#users/users.ts'
import { type FirstAdministrator, refuseGuessablePassword } from '#users/add-user.ts'
import { oneChunk } from '#platform/storage/chunks.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { moveSubmission, type SubmissionChange } from '#submissions/submission-moves.ts'
import { markSourceDeleted } from '#submissions/submission-sources.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { ingestClaimed } from '#submissions/ingest-submission.ts'
import { type ClaimedSubmission, claimSubmissions } from '#submissions/submission-claims.ts'
import { validateClaimed } from '#submissions/validate-submission.ts'

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
 * Two companies with a clerk each, an administrator, three dictionaries, and submissions in every status;
 * nothing where there is an administrator. `own` adds another; throws if it has the address of a demo user.
 * Throws `StorageUnavailableError` and adds nothing without its storage.
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
  await seedSubmissions(seeded, deps)
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
      return insertUser(trx, { name, email, phone: '', role, companyId, passwordHash: passwordHash ?? null })
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

type Upload = { user: UserRow; dictionaryId: number; fileName: string; content: Uint8Array; daysAgo: number }

const { Uploaded, InProcess, ValidationPassed, IngestionFailed, IngestionFileNotFound } = SubmissionStatus
const running = new AbortController().signal
/** One minute in days, the unit of `daysAgo`. */
const minutes = 1 / (24 * 60)

/**
 * The services of the portal upload, validate and ingest them, so reports, downloads and files are real. A
 * delay, as before a retry, keeps statuses 0, 1 and 3 for some seconds, to be seen at the first login.
 */
async function seedSubmissions({ clerk, other, claimsId }: Seeded, deps: Deps): Promise<void> {
  const sample = (name: string) => readFile(new URL(name, samples))
  const clean = await sample('claims-clean.csv')
  const submit = (fileName: string, content: Buffer, daysAgo: number, user = clerk) =>
    upload({ user, dictionaryId: claimsId, fileName, content, daysAgo }, deps)

  await remove(await submit('claims-july.csv', clean, 100), deps)
  await breakStorage(await submit('claims-september.csv', clean, 34), deps)
  await submit('claims-clean.xlsx', await sample('claims-clean.xlsx'), 6, other)
  await finish(deps)
  await submit('claims-clean.csv', clean, 5)
  await finish(deps)
  await submit('claims-old-layout.csv', withOldColumn(clean), 3)
  await validate(deps)
  await submit('claims-with-errors.csv', await sample('claims-with-errors.csv'), 2)
  await validate(deps)
  const october = await submit('claims-october.csv', clean, 3 * minutes)
  await validate(deps)
  await hold(october, { status: ValidationPassed, seconds: 20 }, deps)
  await hold(await submit('claims-week-46.csv', clean, 2 * minutes), { status: InProcess, seconds: 30 }, deps)
  await hold(await submit('claims-week-47.csv', clean, minutes), { status: Uploaded, seconds: 40 }, deps)
}

async function upload({ user, dictionaryId, fileName, content, daysAgo }: Upload, deps: Deps) {
  const parts = async function* () {
    yield { kind: 'field', name: 'dataDictionaryId', value: String(dictionaryId) } as const
    yield { kind: 'file', name: 'file', fileName, content: oneChunk(content) } as const
  }
  const companyId = user.companyId as number
  const caller = { actor: user, companyId, address: null }
  const { id } = await acceptUpload(parts(), { ...user, userId: user.id, companyId }, { ...deps, caller })
  const at = sql<Date>`now() - make_interval(secs => ${daysAgo * 24 * 60 * 60})`
  await deps.db.updateTable('submissionMoves').set({ at }).where('submissionId', '=', id).execute()
  const aged = deps.db.updateTable('submissions').set({ createdAt: at }).where('id', '=', id)
  return aged.returningAll().executeTakeFirstOrThrow()
}

/** The only one that waits: nothing works beside the seed. */
async function claim(work: SubmissionWork, { db, leases }: Deps): Promise<ClaimedSubmission> {
  const { claimed } = await claimSubmissions(db, work, leases.next(), { busy: [], free: 1 })
  return claimed[0]!
}

const validate = async (deps: Deps) => validateClaimed(await claim('validateSubmission', deps), deps, running)

async function finish(deps: Deps): Promise<void> {
  await validate(deps)
  await ingestClaimed(await claim('ingestSubmission', deps), deps, running)
}

/** 3 → 5, as if the storage had failed. The source is still there, so Retry works. */
async function breakStorage(submission: SubmissionRow, deps: Deps): Promise<void> {
  await validate(deps)
  await move(submission, ValidationPassed, IngestionFailed, 'demo: the storage failed', deps)
}

/** 5 → 6, as the purge does 90 days after the upload. */
async function remove(submission: SubmissionRow, deps: Deps): Promise<void> {
  await breakStorage(submission, deps)
  await move(submission, IngestionFailed, IngestionFileNotFound, 'purged after 90 days', deps)
  await deps.storage.delete(sourcePath(submission.storageKey))
  await markSourceDeleted(deps.db, submission.id)
}

type Hold = { status: SubmissionStatus; seconds: number }

async function hold(submission: SubmissionRow, { status, seconds }: Hold, { db }: Deps): Promise<void> {
  const held = { leaseUntil: sql<Date>`now() + make_interval(secs => ${seconds})` }
  await db.updateTable('submissions').set(held).where('id', '=', submission.id).execute()
  if (status !== InProcess) return
  await inTransaction(db, (trx) =>
    moveSubmission(trx, submission.id, { from: Uploaded, to: InProcess, change: held }),
  )
}

function move(
  { id }: SubmissionRow,
  from: SubmissionStatus,
  to: SubmissionStatus,
  note: string,
  { db }: Deps,
) {
  const change: SubmissionChange = { ...withoutLease, settledAt: sql<Date>`now()` }
  return inTransaction(db, (trx) => moveSubmission(trx, id, { from, to, change, note }))
}

/** Renames a column of the header, so that the file has a header error. */
const withOldColumn = (csv: Buffer): Buffer =>
  Buffer.from(String(csv).replace('Provider NPI', 'Provider number'))
