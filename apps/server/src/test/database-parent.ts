import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4e9

/**
 * The folder for the databases of tests: in memory where there is enough of it. A test file creates and
 * deletes four hundred files of a database; ext4 searches long for inodes that were not deleted just now.
 */
export function databaseParent(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES) return MEMORY
  } catch {
    // Only Linux has it.
  }
  return tmpdir()
}
