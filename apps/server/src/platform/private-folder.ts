import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EnvError } from '#env.ts'

/** Only we may enter. */
const OURS = 0o700
/** The sticky bit: all accounts keep files there. */
const SHARED = 0o1000
/** Others may pass to a folder inside whose name they know, and see nothing. */
const PASSABLE = 0o711

/**
 * Also closes an existing folder: it holds personal data and links that set passwords. `isPassable`: the
 * database's account must get to its folder inside; created parents are passable. Never adds rights to an
 * existing folder. Throws for a folder such as /tmp, which must stay open for other programs.
 */
export function makePrivateFolder(path: string, isPassable = false): void {
  const mode = isPassable ? PASSABLE : OURS
  const first = mkdirSync(path, { recursive: true })
  if (first === undefined) return close(path, mode)
  chmodSync(path, mode)
  for (let folder = path; folder.length > first.length;) {
    folder = dirname(folder)
    chmodSync(folder, PASSABLE)
  }
}

function close(path: string, mode: number): void {
  const { uid, mode: found } = statSync(path)
  // Only the owner can set it.
  if (uid !== process.getuid?.() || (found & 0o777 & ~mode) === 0) return
  if ((found & SHARED) !== 0)
    throw new EnvError([`${path} is shared by all accounts of this machine; name a folder inside of it`])
  chmodSync(path, found & mode)
}
