import { rmSync } from 'node:fs'
import { createLog } from '../apps/server/src/log.ts'
import { readEnv } from '../apps/server/src/env.ts'
import { freePort } from '../apps/server/src/platform/database/embedded/postmaster.ts'
import { startPortal } from '../apps/server/src/portal.ts'
import { makeDataDir, type Portal } from './portal.ts'

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
