import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readIfThere, startTime } from '#platform/database/embedded/processes.ts'
import { changeOwner, type ServerAccount } from '#platform/database/embedded/server-account.ts'

/** Has the id and the start of the portal's process. */
const LOCK = 'portal.pid'
/** The locks that this process has. In a container, a predecessor often had the same process id. */
const held = new Set<string>()

const ownerOf = (pid: number) => `${pid} ${startTime(pid)}`

/**
 * Takes the lock in `folder`, or returns the process that has it; a dead one does not count, even if its id
 * is used again. Of two starts at once, PostgreSQL refuses one; the other confirms its lock. `account`: the
 * database's, which must be able to start after a root that died.
 */
export function takePortalLock(folder: string, account: ServerAccount) {
  const path = join(folder, LOCK)
  const heldBy = findHolder(path)
  if (heldBy !== null) return { heldBy }
  const owner = ownerOf(process.pid)
  const confirm = () => {
    writeFileSync(path, owner, { mode: 0o600 })
    changeOwner(account, path)
  }
  confirm()
  held.add(path)
  return { confirm, release: () => void (held.delete(path) && readIfThere(path) === owner && rmSync(path)) }
}

function findHolder(path: string): number | null {
  const owner = readIfThere(path)
  const pid = Number(owner?.split(' ')[0])
  const isHeld = pid === process.pid ? held.has(path) : isAlive(pid) && owner === ownerOf(pid)
  return isHeld ? pid : null
}
