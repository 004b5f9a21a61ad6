import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { withClient } from '../apps/server/src/platform/database/with-client.ts'
import { removeFoldersOfKilledRuns } from '../apps/server/src/test/database-folders.ts'
import { TEMPLATE_DATABASE } from '../apps/server/src/test/template-database.ts'
import { makeDataDir, startPortal } from './portal.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the filled demo; null if a portal with a database server must fill its own. */
    demoData: string | null
    /** A data folder with the files of the demo, whose database is the template of `clusterUrl`. */
    demoFiles: string
  }
}

/**
 * Vitest's global setup: the first start of a portal, which creates its database and fills the demo. One
 * database server then has a copy of it for each test file.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeFoldersOfKilledRuns()
  const portal = await startPortal()
  await portal.stop()
  // A database outside of the data folder cannot be copied with it.
  const isElsewhere = existsSync(join(portal.dataDir, 'postgres/elsewhere.txt'))
  if (!isElsewhere) removeEmptySegments(portal.dataDir)
  const dataDir = makeDataDir(portal.dataDir)
  const cluster = await startEmbeddedPostgres({ dataDir, isFast: true, log: () => {} })
  const teardown = async () => {
    await cluster.stop()
    for (const folder of [cluster.folder, dataDir, portal.dataDir])
      rmSync(folder, { recursive: true, force: true })
  }
  try {
    project.provide('clusterUrl', await nameTemplate(cluster.url))
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('demoData', isElsewhere ? null : portal.dataDir)
  project.provide('demoFiles', dataDir)
  return teardown
}

/** Names the database of the demo as `createTestDatabase` expects; returns a connection beside it. */
async function nameTemplate(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = 'postgres'
  await withClient({ connectionString: url.href }, (client) =>
    client.query(`alter database ${name} rename to ${TEMPLATE_DATABASE}`),
  )
  return url.href
}

/**
 * Removes the segments of the write-ahead log that were prepared for later. A database that was shut down
 * reads only the first one; the others are a quarter of what is copied.
 */
function removeEmptySegments(dataDir: string): void {
  const segments = globSync('postgres/*/data/pg_wal/*', { cwd: dataDir })
    .filter((path) => /\/[0-9A-F]{24}$/.test(path))
    .toSorted()
  for (const segment of segments.slice(1)) rmSync(join(dataDir, segment))
}
