import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'

/** Runs `work` with a migrated database in a PostgreSQL server of its own, which is deleted afterwards. */
export async function withPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'veridict-simulation-'))
  // Started by root, the server runs under another account, which must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, isFast: true, log: () => {} })
  try {
    await migrate(server.url)
    return await work(server.url)
  } finally {
    await server.stop()
    rmSync(server.folder, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
}
