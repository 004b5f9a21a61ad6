import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../apps/server/src/log.ts'
import { readEnv } from '../apps/server/src/env.ts'
import { freePort } from '../apps/server/src/platform/database/embedded/postmaster.ts'
import { bundledPrograms } from '../apps/server/src/test/bundled-programs.ts'
import { makeDataDir, type Portal } from './portal.ts'

type PortalModule = typeof import('../apps/server/src/portal.ts')

/** From the bundle, whose validators also start from it. */
const importPortal = async (): Promise<PortalModule> => import(join(await bundledPrograms(), 'portal.js'))

/**
 * Starts a portal in this process, on a copy of `data`, with `settings` as its environment: a process of its
 * own takes a second of processor time more, and proves more only where it ends. So nothing that calls it may
 * block this process.
 */
export async function openPortal(
  data: string | null,
  settings: Record<string, string> = {},
): Promise<Portal> {
  const dataDir = makeDataDir(data)
  const env = readEnv({ PORT: String(await freePort()), DATA_DIR: dataDir, ...settings })
  const { startPortal } = await importPortal()
  const { stop } = await startPortal(env, { web: true, worker: true }, createLog('silent'))
  return {
    url: `http://127.0.0.1:${env.port}`,
    dataDir,
    async close() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
