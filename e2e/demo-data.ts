import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { removeFoldersOfKilledRuns } from '../apps/server/src/test/database-folders.ts'
import { startPortal } from './portal.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the filled demo; null if each portal must fill its own. */
    demoData: string | null
  }
}

/**
 * Vitest's global setup: the first start of a portal, which creates its database and fills the demo. Each
 * test file starts a portal on a copy of this data, in less than half of the time.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  await removeFoldersOfKilledRuns()
  const portal = await startPortal()
  await portal.stop()
  // A database outside of the data folder cannot be copied with it.
  const isElsewhere = existsSync(join(portal.dataDir, 'postgres/elsewhere.txt'))
  if (!isElsewhere) removeEmptySegments(portal.dataDir)
  project.provide('demoData', isElsewhere ? null : portal.dataDir)
  return () => rmSync(portal.dataDir, { recursive: true, force: true })
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
