import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, isAlive } from '#platform/database/embedded/processes.ts'

/** Has the id and the command line of the portal that uses the database. */
const LOCK = 'portal.pid'
/** The locks that this process has. In a container, a predecessor often had the same process id. */
const held = new Set<string>()

const ownerOf = (pid: number) => `${pid} ${commandLine(pid)}`

/**
 * Takes the lock that shows that a running portal uses the database in `folder`, or returns the process that
 * has it. The lock of a process that died counts no more, also if another program has its id by now.
 */
export function takePortalLock(folder: string): { release(): void } | { heldBy: number } {
  const path = join(folder, LOCK)
  const own = `${path}.${process.pid}`
  // A link has its content at once: another start would take an empty lock for an old one.
  writeFileSync(own, ownerOf(process.pid), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(own, path)
        held.add(path)
        return { release: () => void (held.delete(path) && rmSync(path, { force: true })) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const pid = findHolder(path)
      if (pid !== null) return { heldBy: pid }
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(own)
  }
}

function findHolder(path: string): number | null {
  const owner = readFileSync(path, 'utf8')
  const pid = Number(owner.split(' ')[0])
  const isHeld = pid === process.pid ? held.has(path) : isAlive(pid) && owner === ownerOf(pid)
  return isHeld ? pid : null
}
