import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { buildApp } from '#app.ts'
import { buildDeps } from '#build-deps.ts'
import type { Deps } from '#deps.ts'
import { readEnv } from '#env.ts'
import { jobList } from '#job-list.ts'
import { startMaintenance } from '#periodic-work.ts'
import { startJobs } from '#start-jobs.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { testSecrets } from '#test/test-secrets.ts'

export type WholePortal = {
  deps: Deps
  dataDir: string
  /** Host and port. */
  host: string
  /** Protocol, host and port. */
  address: string
  close(): Promise<void>
}

/**
 * The whole portal in this process, on a port and a database of its own: HTTP, queue, validator processes,
 * engine, storage, e-mails, webhooks and live status. `settings` as in the environment.
 */
export async function startWholePortal(settings: Record<string, string> = {}): Promise<WholePortal> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'veridict-whole-'))
  const env = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    WEBHOOK_ALLOW_PRIVATE: '1',
    ...settings,
  })
  const { deps, close } = await buildDeps(
    { ...env, databaseUrl: database.url, ...testSecrets },
    pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  )
  await deps.storage.confirm()
  const stopJobs = startJobs(jobList(deps.env), deps)
  const stopMaintenance = startMaintenance(deps)
  const app = await buildApp(deps)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const host = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    deps,
    dataDir,
    host,
    address: `http://${host}`,
    async close() {
      await stopMaintenance()
      await app.close()
      await stopJobs()
      await close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
