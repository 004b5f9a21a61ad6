import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterFolder } from '#platform/database/embedded/cluster.ts'
import { findPostmaster, stopPostmaster } from '#platform/database/embedded/postmaster.ts'
import { isAlive } from '#platform/database/embedded/processes.ts'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4e9
const PREFIX = 'veridict-database-'

/**
 * A new folder for databases of tests: in memory where there is enough of it. A test file creates and deletes
 * four hundred files of a database; ext4 searches long for inodes that were not deleted just now.
 */
export function makeDatabaseFolder(): string {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`))
  // mkdtemp makes a private folder. Under root the database runs as another user, who needs access.
  chmodSync(folder, 0o755)
  return folder
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES
  } catch {
    // Only Linux has it.
    return false
  }
}

/** Ends the databases of killed runs and deletes their folders, whose names have the process id. */
export async function removeFoldersOfKilledRuns(): Promise<void> {
  for (const parent of [MEMORY, tmpdir()].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
      const folder = join(parent, name)
      const dataFolder = join(clusterFolder(join(folder, 'postgres')), 'data')
      const orphan = existsSync(dataFolder) ? findPostmaster(dataFolder) : null
      if (orphan) await stopPostmaster(orphan.pid)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
