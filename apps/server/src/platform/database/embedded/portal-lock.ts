import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readIfThere, startTime } from '#platform/database/embedded/processes.ts'

/** Has the id and the start of the process of the portal that uses the database. */
const LOCK = 'portal.pid'
/** The locks that this process has. In a container, a predecessor often had the same process id. */
const held = new Set<string>()

const ownerOf = (pid: number) => `${pid} ${startTime(pid)}`

/**
 * Takes the lock that shows that a running portal uses the database in `folder`, or returns the process that
 * has it. The lock of a process that died counts no more, also if another program has its id by now. Of two
 * that start at the same moment, PostgreSQL itself refuses one.
 */
export function takePortalLock(folder: string): { release(): void } | { heldBy: number } {
  const path = join(folder, LOCK)
  const heldBy = findHolder(path)
  if (heldBy !== null) return { heldBy }
  writeFileSync(path, ownerOf(process.pid), { mode: 0o600 })
  held.add(path)
  return { release: () => void (held.delete(path) && rmSync(path, { force: true })) }
}

function findHolder(path: string): number | null {
  const owner = readIfThere(path)
  const pid = Number(owner?.split(' ')[0])
  const isHeld = pid === process.pid ? held.has(path) : isAlive(pid) && owner === ownerOf(pid)
  return isHeld ? pid : null
}
