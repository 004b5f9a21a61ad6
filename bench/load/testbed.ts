import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldToWire } from '@veridict/contract/api/wire-field'
import { uploadLimits } from '@veridict/contract/limits'
import { Role } from '@veridict/contract/model/role'
import { sql } from 'kysely'
import type { Clerk, Target } from './clients/http.ts'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded-postgres.ts'
import { freePort } from '../../apps/server/src/platform/database/embedded/postmaster.ts'
import type { Db } from '../../apps/server/src/platform/database/tables.ts'
import { createTokens } from '../../apps/server/src/platform/identity/tokens.ts'
import { buildCompany, buildDictionary } from '../../apps/server/src/test/factories.ts'
import { type PortalProcess, startPortalProcess } from '../../apps/server/src/test/portal-process.ts'
import { claimsColumns } from '../generate/generated-columns.ts'
import { fieldOf } from '../generate/data-files.ts'
import { RowMaker, writeCsv } from '../generate/rows.ts'
import { type ProcessorTime, readProcessorTime } from './processor-time.ts'

export type PartSettings = {
  /** Seconds of the mixed reads. */
  seconds: number
}

/** A portal with two companies: one whose history is long, and one that uploads. */
export type Testbed = {
  target: Target
  /** The database, as its owner. */
  owner: Db
  databaseUrl: string
  large: Company
  uploading: Company
  /** A claims file of nearly 25 MiB without errors. */
  largeFile: { path: string; bytes: number }
  /** The folder of the portal's uploads that are being received. */
  dataDir: string
  processorTime(): ProcessorTime
  /** Memory of the portal's main process at this moment, in bytes. */
  residentBytes(): number
  close(): Promise<void>
}

export type Company = { id: number; versionId: number; dictionaryId: number; clerks: Clerk[] }

/** The limit of an upload, less some rows: the file is a little larger than asked for. */
const LARGE_BYTES = uploadLimits.maxBytes - 64 * 1024
const TOKEN_MINUTES = 24 * 60

/** Of every portal that is measured. */
export const portalSettings = {
  API_KEY: 'load-api-key',
  TOKEN_SECRET: 'l'.repeat(32),
  ACCESS_TOKEN_MINUTES: String(TOKEN_MINUTES),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'Correct-Horse-1',
  LOG_LEVEL: 'error',
}

export async function openTestbed(checkout: string): Promise<Testbed> {
  const folder = await mkdtemp(join(tmpdir(), 'veridict-load-'))
  // Started by root, PostgreSQL runs under another account, which must reach its folder.
  await chmod(folder, 0o711)
  const largeFile = writeLargeFile(join(folder, 'claims.csv'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: () => {} })
  const dataDir = join(folder, 'portal')
  const settings = {
    ...portalSettings,
    PORT: String(await freePort()),
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    UPLOADS_PER_MINUTE: '1000000',
    COMPANY_QUOTA_MB: '0',
    DRAIN_SECONDS: '0',
  }
  const main = join(checkout, 'apps/server/src/main.ts')
  let portal: PortalProcess | undefined
  const pid = () => portal?.child.pid ?? 0
  const owner = openDatabase(postgres.url)
  const close = async () => {
    await portal?.end('SIGTERM')
    await owner.destroy()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    portal = await startPortalProcess(settings, 'web,worker', { main })
    const large = await buildCompanyWithClerks(owner, 1000)
    const uploading = await buildCompanyWithClerks(owner, 50)
    const postmaster = await readPostmaster(owner)
    return {
      target: { address: `http://127.0.0.1:${settings.PORT}`, apiKey: portalSettings.API_KEY },
      owner,
      databaseUrl: postgres.url,
      large,
      uploading,
      largeFile,
      dataDir,
      processorTime: () => readProcessorTime(pid(), postmaster),
      residentBytes: () => residentBytesOf(pid()),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function residentBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

function writeLargeFile(path: string): Testbed['largeFile'] {
  const rows = new RowMaker(claimsColumns, 1, 0)
  writeCsv(path, claimsColumns, rows, LARGE_BYTES)
  return { path, bytes: rows.truth.bytes }
}

async function readPostmaster(owner: Db): Promise<number> {
  const file = await sql<{ text: string }>`select pg_read_file('postmaster.pid') as text`.execute(owner)
  return Number.parseInt(file.rows[0]?.text ?? '')
}

async function buildCompanyWithClerks(owner: Db, count: number): Promise<Company> {
  const { id } = await buildCompany(owner)
  const fields = claimsColumns.map(fieldOf).map(fieldToWire)
  const { id: dictionaryId } = await buildDictionary(owner, { fields, companyId: id })
  const version = owner.selectFrom('dictionaryVersions').where('dictionaryId', '=', dictionaryId).select('id')
  const { id: versionId } = await version.orderBy('id', 'desc').executeTakeFirstOrThrow()
  return { id, dictionaryId, versionId, clerks: await buildClerks(owner, id, count) }
}

/** Users with a session each. */
async function buildClerks(owner: Db, companyId: number, count: number): Promise<Clerk[]> {
  const users = await owner
    .insertInto('users')
    .values(
      Array.from({ length: count }, (_, index) => ({
        companyId,
        role: Role.CompanyUser,
        name: `Clerk ${index}`,
        email: `clerk-${companyId}-${index}@example.test`,
        phone: '',
        passwordHash: null,
      })),
    )
    .returning(['id', 'role', 'email'])
    .execute()
  return openSessions(owner, users)
}

/** A session each. The tokens are made here: a thousand logins would hash for minutes. */
export async function openSessions(
  owner: Db,
  users: readonly { id: number; role: Role; email: string }[],
): Promise<Clerk[]> {
  const { TOKEN_SECRET: tokenSecret } = portalSettings
  const tokens = createTokens({ tokenSecret, accessTokenMinutes: TOKEN_MINUTES })
  const sessions = users.map(({ id, ...user }) => ({ ...user, sessionId: randomUUID(), userId: id }))
  await owner
    .insertInto('sessions')
    .values(
      sessions.map(({ sessionId: id, userId }) => ({
        id,
        userId,
        expiresAt: sql<Date>`now() + interval '1 day'`,
      })),
    )
    .execute()
  return sessions.map((session) => ({ userId: session.userId, token: tokens.issueAccess(session) }))
}
