import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createLog } from '../apps/server/src/log.ts'
import { readEnv } from '../apps/server/src/env.ts'
import { freePort } from '../apps/server/src/platform/database/embedded/postmaster.ts'
import { bundledPrograms } from '../apps/server/src/test/bundled-programs.ts'
import { createTestDatabase } from '../apps/server/src/test/test-database.ts'
import { makeDataDir, type Portal } from './portal.ts'

type PortalModule = typeof import('../apps/server/src/portal.ts')

/** From the bundle, whose validators also start from it. */
const importPortal = async (): Promise<PortalModule> => import(join(await bundledPrograms(), 'portal.js'))

/**
 * Starts a portal in this process, on a copy of the demo in the database server of the run, with `settings`
 * as its environment: a process of its own takes a second of processor time more, and proves more only where
 * it ends. So nothing that calls it may block this process.
 */
export async function openPortal(settings: Record<string, string> = {}): Promise<Portal> {
  const dataDir = makeDataDir(null)
  const demoFiles = inject('demoFiles')
  const database = join(demoFiles, 'postgres')
  cpSync(demoFiles, dataDir, { recursive: true, filter: (path) => path !== database })
  const { url, drop } = await createTestDatabase()
  const env = readEnv({ PORT: String(await freePort()), DATA_DIR: dataDir, ...settings })
  const { startPortal } = await importPortal()
  // A demo all the same: with DATABASE_URL in `settings`, it would be none.
  const portal = { ...env, databaseUrl: url }
  const { stop } = await startPortal(portal, { web: true, worker: true }, createLog('silent'))
  return {
    url: `http://127.0.0.1:${env.port}`,
    dataDir,
    async close() {
      await stop()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
