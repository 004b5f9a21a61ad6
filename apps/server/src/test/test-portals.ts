import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'
import { buildAdministrator } from '#test/factories.ts'
import { type ProcessOptions, startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { testSecrets } from '#test/test-secrets.ts'
import { buildUploader, type Uploader } from '#test/uploader.ts'

/** Portals in processes of their own, with one database, one folder, an administrator and an uploader. */
export type TestPortals = {
  databaseUrl: string
  db: Db
  /** DATA_DIR of all portals, unless their settings name another one. */
  folder: string
  uploader: Uploader
  /** What every portal gets from its environment. */
  settings: Record<string, string>
  /** Starts one more portal, with more settings; the other arguments are those of `startPortalProcess`. */
  start(settings?: Record<string, string>, roles?: string, options?: ProcessOptions): Promise<PortalProcess>
  close(): Promise<void>
}

/** `databaseUrl`: a migrated database; by default a new one. Call `close` in `afterAll`. */
export async function createTestPortals(
  given: Record<string, string> = {},
  databaseUrl?: string,
): Promise<TestPortals> {
  const database = databaseUrl === undefined ? await createTestDatabase() : { url: databaseUrl, drop() {} }
  const folder = await mkdtemp(join(tmpdir(), 'veridict-portals-'))
  const db = openDatabase(database.url)
  await buildAdministrator(db)
  const uploader = await buildUploader(db)
  const settings = {
    API_KEY: testSecrets.apiKey,
    TOKEN_SECRET: testSecrets.tokenSecret,
    UPLOADS_PER_MINUTE: '100000',
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
    DRAIN_SECONDS: '0',
    ...given,
  }
  const portals: PortalProcess[] = []
  return {
    databaseUrl: database.url,
    db,
    folder,
    uploader,
    settings,
    async start(more, roles, options) {
      const portal = await startPortalProcess({ ...settings, ...more }, roles, options)
      portals.push(portal)
      return portal
    },
    async close() {
      await Promise.all(portals.map((portal) => portal.end('SIGKILL')))
      await db.destroy()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
